"""Real logdirs, and what their bytes say, beside what the reader makes of them.

``python -m pytest tests/corpus`` checks every one of them; ``python -m tests.corpus.report`` prints
a table. The corpus lies beside the checkout, in ``../shared/corpus``.
"""
