"""A Debugger V2 for TensorBoard: reads tfdbg2 logdirs, serves them, shows them.

The folders are the data flow, and imports point towards its beginning only::

    events -> index -> analyses -> runs -> api -> plugin

From Python, ``open_run(logdir)`` reads a run:

>>> run = open_run("/tmp/logdir")  # doctest: +SKIP
>>> run.num_executions, len(run.alerts())  # doctest: +SKIP
(101, 123)
"""

from tb_debugger_plugin.runs.open_run import NoSuchRun, open_run
from tb_debugger_plugin.runs.run import InfNanAlert, Run

__all__ = ["InfNanAlert", "NoSuchRun", "Run", "open_run"]
