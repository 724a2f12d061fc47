"""Making tasks: one task family per module in this folder; `stage` selects what a release takes."""
