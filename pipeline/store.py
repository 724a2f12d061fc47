"""Records to Parquet and back: typed by their dataclass, written atomically, the same bytes each time."""
