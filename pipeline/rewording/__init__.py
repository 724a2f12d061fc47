"""Questions put otherwise: the text of a task's instruction changed in small, recorded ways that keep what is asked."""
