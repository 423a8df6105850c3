"""Arrays without an owner inside compiled code.

numba counts references to an array atomically whenever it is handed on; in loops as short as those of the
kernels, and in several threads at once, that costs more than the dice. An array without an owner is not
counted. Its caller must hold the array itself for as long as the compiled function runs: all callers do.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils
from numba.extending import intrinsic, overload

__all__ = ["unowned"]


def unowned(array: Any) -> Any:
    """The same array; in compiled code without reference counting."""
    return array


@intrinsic
def _without_owner(context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        structure = context.make_array(signature.args[0])(context, builder, arguments[0])
        structure.meminfo = cgutils.get_null_value(structure.meminfo.type)
        structure.parent = cgutils.get_null_value(structure.parent.type)
        return structure._getvalue()

    return array(array), generate


@overload(unowned)
def _unowned(array):
    return lambda array: _without_owner(array)
