"""Abstract transformers: what each command makes of a state, and which checks it may fail. May import floor.domain."""
