"""What solves cost on this machine, measured once for all agents of a policy in a process.

Measuring takes a second and a half at six seats, and every page that is open has five agents that search. The figures
are of the machine and not of an agent, so all of them learn into the same ones: when many search at once, what one
finds out about the cores that are left helps the others too.
"""

import threading
from copy import deepcopy
from weakref import WeakKeyDictionary

from holdem.blueprint.buckets import PolicyBuckets
from holdem.realtime.search.cost import CostModel
from holdem.realtime.search_controller import SearchController

_LOCK = threading.Lock()
_MEASURED: "WeakKeyDictionary[PolicyBuckets, dict[tuple[int, bool], CostModel]]" = WeakKeyDictionary()
"""By what the agents of a policy share, by the number of workers, and by whether a controller advises: with its longer
time it solves larger trees, and a bot that learned from them would choose smaller ones. Forgotten with the policy."""


def calibrate_once(controller: SearchController) -> None:
    """Give a controller the costs of a policy; the first controller measures them."""
    with _LOCK:
        known = _MEASURED.setdefault(controller.blueprint.buckets, {})
        workers = controller.config.num_workers
        key, other = (workers, controller.advises), (workers, not controller.advises)
        if key not in known:
            if other in known:
                controller.cost = deepcopy(known[other])
            else:
                controller.calibrate()
            known[key] = controller.cost
        controller.cost = known[key]
