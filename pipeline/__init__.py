"""Making tasks: code released after a cutoff goes in, a verified benchmark release comes out."""
