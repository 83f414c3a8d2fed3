"""Where bytes are: on a disk, or behind a URL that fsspec knows."""
