"""One module a group of routes; each function answers one route."""
