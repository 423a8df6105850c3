"""Dicts that stay as they were made, so that what holds them can be shared, compared and hashed."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, TypeVar

__all__ = ["Unchangeable"]

Value = TypeVar("Value")


class Unchangeable(dict[str, Value]):
    """A dict that cannot be changed; ``dict(it)`` is a copy that can.

    Raises
    ------
    TypeError
        On every try to change it, with ``HOW`` to go on.

    Examples
    --------
    >>> Unchangeable(a=1) == {"a": 1}
    True
    """

    HOW: ClassVar[str] = "it cannot be changed: copy it with dict(...)"

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(self.HOW)

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[Unchangeable[Value]], tuple[dict[str, Value]]]:
        return type(self), (dict(self),)
