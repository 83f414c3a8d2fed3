"""How much is looked at."""

FEW_INPUTS = 16
"""Up to here ops are looked at together, so that a graph of many ops costs little Python."""
MOST_INPUTS = 4096
"""Of a graph op, those behind are not looked at: AddN may have any number."""
MOST_WORK = 100_000
"""Inputs of all ops; ops behind them are not looked at. Each takes some ten microseconds."""
WORK_OF_ONE = 60
"""What an op takes that cannot be looked at with others, in inputs of those that can."""
WORK_OF_ITS_INPUT = 12
WORK_OF_RESULT = 20
"""What an output of a function or an eager op takes, for all of its alerts, likewise."""
