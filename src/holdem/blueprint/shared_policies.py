"""One copy of a policy for all agents of a process.

The betting tree of six players and the places of its rows take 170 MB and two seconds to make, and a table of six seats
has six agents. So agents that open the same policy get the same object: the mapped probabilities, the tree, the layout
and the buckets, none of which changes. What an agent draws, solves and counts stays its own.

A policy is the same if it has the same path, description and array; one that was trained on is another one. Nothing
is kept that no agent uses any more.
"""

import threading
from pathlib import Path
from weakref import WeakValueDictionary

from holdem.blueprint.buckets import PolicyBuckets
from holdem.policy.policy import AveragePolicy

_Key = tuple[str, str, str]

_LOCK = threading.RLock()
"""Whoever comes second waits until the first has built the tree, and does not build another."""
_POLICIES: "WeakValueDictionary[_Key, AveragePolicy]" = WeakValueDictionary()
_BUCKETS: "WeakValueDictionary[int, PolicyBuckets]" = WeakValueDictionary()
"""By the id of the policy, which lives at least as long as its buckets."""


def shared_policy(path: Path | str) -> AveragePolicy:
    """The policy of a run directory or of a manifest; the files are checked at every call, as by `load`."""
    loaded = AveragePolicy.load(path)
    assert loaded.path is not None
    key = (str(loaded.path.resolve()), repr(loaded.info), str(getattr(loaded.table, "filename", None)))
    with _LOCK:
        return _POLICIES.setdefault(key, loaded)


def shared_buckets(policy: AveragePolicy) -> PolicyBuckets:
    """The buckets of a shared policy, with its tree built."""
    with _LOCK:
        found = _BUCKETS.get(id(policy))
        if found is None:
            assert policy.layout is not None  # made here, where nobody else makes it at the same time
            found = _BUCKETS[id(policy)] = PolicyBuckets(policy)
        return found
