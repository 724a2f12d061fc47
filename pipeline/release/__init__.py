"""Tasks to a release folder: rows, manifest, licences, card; and the gates that every release must pass."""
