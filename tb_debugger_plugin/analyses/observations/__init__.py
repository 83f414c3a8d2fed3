"""What a run shows of how it was recorded: what was lost, and what was never there to be seen.

Each module looks for one sort of sign in a snapshot and tells no more than the data shows. Nothing
here loops over events; what loops over graphs, code locations or ops is bounded.
"""
