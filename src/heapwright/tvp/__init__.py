"""TVLA specifications: TVP programs and TVS structures."""
