"""Pure functions on the tables: alerts, joins of executions and traces, code."""
