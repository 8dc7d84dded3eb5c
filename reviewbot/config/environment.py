"""Interpolations that would read the environment, stopped while OmegaConf or Hydra runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, NoReturn

_LOCK = RLock()


class EnvironmentReadError(Exception):
    """A config asked for a variable of the environment that reviewbot runs in."""


@contextmanager
def no_environment() -> Iterator[None]:
    """Within, ``${oc.env:X}`` raises instead of reading; OmegaConf's resolvers are restored afterwards."""
    from omegaconf.basecontainer import BaseContainer

    with _LOCK:
        kept = dict(BaseContainer._resolvers)
        for name in kept:
            if name in ("env", "oc.env"):
                BaseContainer._resolvers[name] = _refuse_to_read
        try:
            yield
        finally:
            BaseContainer._resolvers.clear()
            BaseContainer._resolvers.update(kept)


def read_the_environment(error: BaseException | None) -> bool:
    """Whether an error of OmegaConf's goes back to a variable that was not read."""
    while error is not None:
        if EnvironmentReadError.__name__ in str(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _refuse_to_read(*_: Any) -> NoReturn:
    raise EnvironmentReadError("the environment is not read")
