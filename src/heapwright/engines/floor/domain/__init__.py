"""Abstract states: intervals, pointers, blocks, bounds of differences; join and widening. May import program."""
