"""Records -> columns: tables that grow with the files and are read as snapshots."""
