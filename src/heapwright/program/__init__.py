"""The program representation that front ends produce and engines consume, and its concrete semantics."""
