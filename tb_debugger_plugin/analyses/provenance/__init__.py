"""Where the bad values of each alert came from: the alert of an input, or none.

An alert's *parent* is the alert of the value that made it bad: of an input of the op at that very
call, of the argument that was passed, of the tensor in a function that became its output, of the
value that a variable was last updated by. An alert without a parent is an *origin*: nothing bad is
known to have gone in.

``recorded_sources`` asks the graphs where an input can have come from, ``records`` and
``call_arguments`` where that was recorded at some calls, ``bad_values`` what of it was bad,
``variable_updates`` what a variable was given, ``guesses`` what is taken where nothing was
recorded. ``parents_of_traces`` and ``parents_of_executions`` put these together, ``provenance``
answers.

Nothing loops over alerts: the graphs are asked once an op, and the calls of an op are looked at
together.
"""
