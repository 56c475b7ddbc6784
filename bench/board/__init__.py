"""Parts of `scoreboard.py` and `suites.py`: tasks and answers, the tools that answer, tables, and the page of
results."""
