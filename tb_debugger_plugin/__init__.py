"""A Debugger V2 for TensorBoard: reads tfdbg2 logdirs, serves them, shows them.

The folders are the data flow, and imports point towards its beginning only::

    events -> index -> analyses -> api -> plugin
"""
