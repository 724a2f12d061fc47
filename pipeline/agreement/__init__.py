"""How far language models that judge agree with each other, with the rules, and with people."""
