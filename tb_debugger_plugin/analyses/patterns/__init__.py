"""Alerts that are seen over many events rather than in one tensor."""
