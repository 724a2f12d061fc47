"""Programs of a release, evolved towards the complexity of real ones (GeneBench), and what is asked about them.

`tracing` sees what a program does in its cases, `genome` replays operators on it, `nsga2` and `search` look for the
most complex program that can still be read, `proof` shows that it means the same, `bugs` breaks it and its original
alike; `stage`, `derived` and `command` make a release of it, `report` and `imported` are the ends of the way.
"""
