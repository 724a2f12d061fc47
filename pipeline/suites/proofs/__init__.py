"""What is proved of a program from its text alone."""
