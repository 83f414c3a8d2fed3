"""See ``index.parts``."""

from tb_debugger_plugin.index.parts import part

__all__ = ["part"]
