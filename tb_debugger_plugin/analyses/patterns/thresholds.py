"""From when on something counts as a pattern.

``COMPILED`` of ``AMONG_CALLS`` calls is where TensorFlow itself warns of retracing
(``FREQUENT_TRACING_WARNING_THRESHOLD`` and ``..._MAX_CALL_HISTORY`` of its
``polymorphic_function.py``). What is compiled rarely, as the last batch of an epoch, is no harm;
what is compiled for a single call each time is told sooner, from ``COMPILED_FOR_ONE_CALL`` on.

More than ``DEAD_SHARE`` of elements, as debug modes count no units. Amazon SageMaker Debugger's
rule DeadRelu tells of a layer of which more than half of the *units* are inactive; half of the
*elements* is what a ReLU has of inputs that are spread evenly around zero, and healthy programs
were measured at 51% to 84% in every call. So what is below ``MOSTLY_DEAD_SHARE`` is listed, but
counts as usual. From there on, four of five units are dead if the others are as usual.

``LAST_CALLS`` in a row make chance unlikely, as a batch without any active unit. A program that
made fewer, but ``FEWEST_CALLS``, has to show it in each.

``GROWTH`` and ``LEAST_MAGNITUDE``: ten times as large within five calls is beyond float32 in 160
calls more from 1, sooner from above. What stays below 1 is far from it.
"""

from __future__ import annotations

COMPILED = 5
AMONG_CALLS = 10
COMPILED_FOR_ONE_CALL = 3

LAST_CALLS = 5
FEWEST_CALLS = 3

DEAD_SHARE = 0.5
MOSTLY_DEAD_SHARE = 0.9

SAME_SHAPE_CALLS = 5
"""Calls in which a tensor had one shape, before another one is told."""

GROWTH = 10.0
LEAST_MAGNITUDE = 1.0

UNCHANGED_CALLS = 5

MOST_LISTED = 1000
"""Patterns of a kind that are listed, of those that are not muted; further ones are counted."""

MOST_KEPT = 10_000
"""Patterns of a kind that can be muted and come up for those that are; all of them are counted."""

MOST_TENSORS = 10_000
"""That are looked into, of those that pass a first test; others are not even counted.

What goes on in more tensors than that is no matter of one.
"""

MOST_VERSIONS = 200
"""Versions of a function that are listed, and a tenth of those that are listed of all."""

MOST_ARGUMENTS = 16
"""Of each version that are listed."""

MOST_TENSORS_READ = 40
"""Tensors of which values are read again, each at its last calls."""

MOST_BYTES_READ = 1 << 26
"""Of all these values together."""
