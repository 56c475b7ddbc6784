"""What `scoreboard.py` is made of: tasks and answers, the tools that answer, and the page that shows them."""
