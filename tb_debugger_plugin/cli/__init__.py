"""The ``tbdbg`` command."""
