"""Runs as users know them: opening one, finding all below a logdir, loading them behind a page."""
