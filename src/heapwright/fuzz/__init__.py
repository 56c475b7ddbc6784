"""Random C programs, and machines that compare heapwright with something that it must agree with."""
