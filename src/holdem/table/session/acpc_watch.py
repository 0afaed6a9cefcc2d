"""Watching at an ACPC dealer: through a proxy, because the protocol has no observers.

Another agent connects to the profile's `listen_port` instead of the dealer's; its bytes pass through unchanged, and
nothing here makes any.
"""

from collections.abc import Sequence

from holdem.errors import ConfigError
from holdem.table.acpc.game_definition import GameDefinition
from holdem.table.acpc.proxy import Proxy
from holdem.table.history.observed_hand import SeatObserver
from holdem.table.profiles.profiles import TableProfile
from holdem.table.session.leave_signals import LeaveSignals
from holdem.util.logs import LOGGER


def watch_at_dealer(
    profile: TableProfile,
    game: GameDefinition,
    observers: Sequence[SeatObserver],
    leave: LeaveSignals,
    max_hands: int | None = None,
) -> str:
    """Follow the agent that connects until the match ends; why it ended."""
    assert profile.acpc is not None
    if profile.acpc.listen_port is None:
        raise ConfigError(
            f"{profile.name} is an ACPC table, and that protocol has no observers: give acpc.listen_port in the "
            "profile, and let another agent connect there instead of to the dealer"
        )
    proxy = Proxy(
        profile.acpc.host,
        profile.acpc.port,
        game,
        listen_port=profile.acpc.listen_port,
        observers=observers,
        should_stop=lambda: leave.after_hand,
        max_hands=max_hands,
        seat=profile.hero_seat,
        name="watched",
    )
    LOGGER.info("waiting for an agent at port %d, to be passed on to the dealer", proxy.port)
    try:
        with leave.interruptible():
            result = proxy.run()
    except KeyboardInterrupt:
        return "asked to leave at once"
    finally:
        proxy.close()
    if leave.after_hand:
        return "asked to leave"
    return "the match ended" if result.finished else "the connection ended in a hand"
