"""Releases: rows and Parquet files, the Hub, lite selections, ages of tasks."""
