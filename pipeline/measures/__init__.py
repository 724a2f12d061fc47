"""How complex and how readable a program is (GeneBench, Tables 1 and 2), by its syntax tree and its tokens."""
