"""A model's answer: the code in its text, and files of answers."""
