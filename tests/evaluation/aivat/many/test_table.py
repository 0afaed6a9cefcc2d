"""AIVAT of three players at hold'em tables: it telescopes, is exact over an endgame, and keeps the mean of hands."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pytest

from holdem.cards import parse_cards
from holdem.cards.cards import Cards, hole_index
from holdem.errors import ConfigError
from holdem.evaluation.aivat.many import deal_values
from holdem.evaluation.aivat.many.luck import BOARD
from holdem.evaluation.aivat.many.table import ManyPlayerAivat
from holdem.evaluation.aivat.opening import can_open_aivat, open_aivat
from holdem.evaluation.baselines import open_baseline
from holdem.evaluation.match.match import MatchSetup, play_match
from holdem.game.actions import Action
from holdem.game.agent import Agent, PublicState, public_state
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.game.play import play_hand
from tests.evaluation.blueprints import holdem_blueprint, holdem_config, open_any
from tests.evaluation.outside_agent import Hidden, OutsideAgent

FloatArray = npt.NDArray[np.float64]


def test_among_blueprints_the_result_is_the_mean_over_all_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """With guesses that are what is played, whatever was drawn comes out the same: hand by hand, up to odd chips."""
    monkeypatch.setattr(deal_values, "LIKELY", 0.0)
    agents = [holdem_blueprint(holdem_config(3), seed) for seed in (1, 2, 3)]
    aivat, game = ManyPlayerAivat(agents), Game(holdem_config(3))
    for deal in range(12):
        seated = [agents[(seat + deal) % 3] for seat in range(3)]
        hand = play_hand(game, seated, deal)
        positions = [hand.position(seat) for seat in range(3)]
        corrected = aivat.corrected(hand, seated)
        policies = tuple((hand.seat_at(position) + deal) % 3 for position in range(3))
        assert corrected == pytest.approx(aivat.values.at(0, policies)[positions], abs=1.0)
        assert sum(corrected) == pytest.approx(0.0, abs=1e-6)


# Every river and every line of an endgame

HOLES = [parse_cards(hole) for hole in ("AhKd", "QsQd", "7c6c")]
TURN = parse_cards("Qc7s2d5h")


class Limper(OutsideAgent):
    """Checks and calls up to the turn; from there on it plays any rows, and bets only if `bets`."""

    def __init__(self, seed: int, bets: bool) -> None:
        super().__init__(seed, ())
        self.bets = bets

    def range_policy(self, public_state: PublicState) -> tuple[list[Action], FloatArray]:
        if public_state.street < 2:
            return [Action.check_or_call()], np.ones((1326, 1))
        actions, table = super().range_policy(public_state)
        if self.bets:
            return actions, table
        passive = [place for place, action in enumerate(actions) if action.amount == 0]
        kept = table[:, passive]
        return [actions[place] for place in passive], kept / kept.sum(axis=1, keepdims=True)


def endings(hand: Hand, chance: float, limpers: Sequence[Limper]) -> Iterator[tuple[float, Hand]]:
    """By plain multiplication of the rows of the holes that are held."""
    if hand.actor is None:
        yield chance, hand
        return
    seat = hand.actor
    actions, table = limpers[seat].range_policy(public_state(hand))
    row = table[hole_index(*HOLES[hand.position(seat)])]
    for action, part in zip(actions, row, strict=True):
        after = hand.copy()
        after.act(action)
        yield from endings(after, chance * float(part), limpers)


def dealt(board: Cards) -> Hand:
    config = holdem_config(3)
    by_seat = [HOLES[Hand(config).position(seat)] for seat in range(3)]
    return Hand(config, by_seat, board)


@pytest.mark.parametrize("hidden", [None, 1])
def test_the_mean_over_every_river_and_line_is_exact(hidden: int | None) -> None:
    """Three agents from outside, one of which may not tell its strategy; guesses by a blueprint of random rows.

    Up to the turn nobody has a choice, and the luck of flop and turn is the same in every ending.
    """
    limpers = [Limper(1, True), Limper(2, False), Limper(3, False)]
    agents: list[Agent] = [Hidden(limper) if seat == hidden else limper for seat, limper in enumerate(limpers)]
    aivat = ManyPlayerAivat([holdem_blueprint(holdem_config(3), 5), *agents])
    free = [card for card in range(52) if card not in (*TURN, *(card for hole in HOLES for card in hole))]
    total, mean, estimate, before = 0.0, np.zeros(3), np.zeros(3), []
    for river in free:
        for chance, hand in endings(dealt((*TURN, river)), 1.0 / len(free), limpers):
            luck = aivat.luck(hand, agents)
            total += chance
            mean += chance * np.array(hand.payoffs)
            estimate += chance * (np.array(hand.payoffs) - luck.sum(axis=0))
            if len(hand.board) == 4:  # folds on the turn: board luck is that of the flop and the turn
                before.append(luck[BOARD])
    assert total == pytest.approx(1.0)
    assert np.ptp(before, axis=0) == pytest.approx(0.0, abs=1e-9)
    assert estimate + before[0] == pytest.approx(mean, abs=1e-8)


# Real hands


def open_here(spec: str, config: object = None) -> Agent:
    return Hidden(OutsideAgent(7)) if spec == "hidden" else open_any(spec, holdem_config(3))


@pytest.mark.long
@pytest.mark.parametrize("others", [("hidden", "always-call"), ("blueprint 2", "tight-aggressive")])
def test_real_hands_keep_their_mean(others: tuple[str, str]) -> None:
    """The luck that was taken off is zero within its own error; all chips still add up to nothing."""
    setup = MatchSetup(holdem_config(3), ("blueprint 1", *others), open_here, 3, open_aivat)
    result = play_match(setup, 360)
    assert not result.compiled
    assert result.method.startswith("duplicate+aivat (but for the actions of ")
    assert result.corrected is not None
    assert result.corrected.sum(axis=1) == pytest.approx(0.0, abs=1e-6)
    for agent in range(3):
        luck = result.luck(agent)
        assert luck is not None
        assert abs(luck.big_blinds) < 4.0 * luck.standard_error


def test_who_is_refused() -> None:
    blueprint, unknown = holdem_blueprint(holdem_config(3), 1), open_baseline("random")
    assert can_open_aivat([blueprint, unknown, unknown])
    assert not can_open_aivat([unknown] * 3)
    with pytest.raises(ConfigError, match="none plays here"):
        open_aivat([open_baseline("always-call"), unknown, unknown])
    aivat = ManyPlayerAivat([blueprint, unknown, unknown])
    hand = play_hand(Game(holdem_config(4)), [unknown] * 4, 1)
    with pytest.raises(ConfigError, match="for 3 players"):
        aivat.luck(hand, [unknown] * 4)
    watched = Hand(holdem_config(3))
    with pytest.raises(ConfigError, match="all cards of the deal"):
        aivat.luck(watched, [unknown] * 3)
