"""Table 2 of G. Arnold, Lightweight Specialized 3-Valued Logic Shape Analyzer (UCB/EECS-2006-59).

Five programs on singly and doubly linked lists, analysed with relational join under strict and under loose embedding.
The paper prints one of them (dll-loop, Figure 1) and gives names, sizes and numbers of loops of the others; `programs/`
has our own programs of these names.
"""
