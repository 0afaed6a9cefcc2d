"""Duplicate matches over real TCP: everybody holds everybody's cards, and nobody wins from themselves."""

import hashlib
import io
import json
import threading
from itertools import pairwise

import numpy as np
import pytest

from holdem.errors import RunFailed
from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.table.acpc.client import play_match
from holdem.table.acpc.dealer import MatchDealer, TimeLimits
from holdem.table.acpc.game_definition import standard_game
from tests.table.acpc.test_dealer import HEADS_UP, RawPlayer, check_log, logged_hands
from tests.table.acpc.test_faults import holdem, started_dealer
from tests.table.acpc_tools import CallingAgent, RandomAgent, play_with


class ByCards(RandomAgent):
    """Does the same whenever it sees the same: what it does is a hash of the cards, the pot and its position."""

    def act(self, observation: Observation) -> Action:
        seen = (observation.hole_cards, observation.board, observation.pot, observation.position)
        draw = hashlib.blake2b(repr(seen).encode(), digest_size=1).digest()[0] / 256
        if observation.legal.min_raise_to is not None and draw < 0.3:
            return Action.raise_to(observation.legal.min_raise_to)
        return Action.fold() if observation.legal.can_fold and draw > 0.85 else Action.check_or_call()


@pytest.mark.parametrize(("seats", "hands"), [(2, 60), (3, 60), (6, 60)])
@pytest.mark.parametrize("fixed", [False, True])
def test_an_agent_wins_exactly_nothing_from_itself(seats: int, hands: int, fixed: bool) -> None:
    game, log = standard_game(seats, stack=2_000), io.StringIO()
    dealer = MatchDealer(game, hands, seed=5, log=log, duplicate=True, fixed_seats=fixed)
    play_with(dealer, game, [ByCards() for _ in range(seats)])
    for rate in dealer.win_rates():
        assert (rate.big_blinds, rate.standard_error) == (0.0, 0.0)
        assert (rate.deals, rate.hands) == (hands // seats, hands)
    assert any(float(chips) for hand in logged_hands(log.getvalue()) for chips in hand[4].split("|")), "chips moved"
    check_log(log.getvalue(), game, dealer.score())


@pytest.mark.parametrize("seats", [2, 3])
def test_everybody_holds_everybodys_cards(seats: int) -> None:
    """The cards of a deal stay where they are, and at each place sits somebody else every time."""
    game, log = standard_game(seats), io.StringIO()
    names = ("Alice", "Bob", "Carol")[:seats]
    dealer = MatchDealer(game, 4 * seats, seed=3, names=names, log=log, duplicate=True)
    agents = [CallingAgent() for _ in names]
    play_with(dealer, game, agents)  # type: ignore[arg-type]
    hands = logged_hands(log.getvalue())
    assert [int(hand[1]) for hand in hands] == list(range(4 * seats)), "hands are numbered through"
    for deal in range(4):
        played = hands[deal::4]
        assert len({hand[3] for hand in played}) == 1, "the same cards"
        places = [hand[5].split("|") for hand in played]
        for place in range(seats):
            assert {sitting[place] for sitting in places} == set(names)
    buttons = [hand[5].split("|")[-1] for hand in hands[:4]]
    assert all(one != other for one, other in pairwise(buttons)), "seats move on within a rotation too"


def test_whoever_is_better_wins_with_an_interval_over_deals() -> None:
    """The figures are those of the chips of each deal, which the log has too."""
    game, log = standard_game(2, stack=2_000), io.StringIO()
    dealer = MatchDealer(game, 121, seed=1, names=("Alice", "Bob"), log=log, duplicate=True)
    play_with(dealer, game, [ByCards(), RandomAgent()])
    assert (dealer.hands, dealer.hands_played) == (122, 122), "at least as many as asked for, in whole deals"
    chips = [dict(zip(hand[5].split("|"), map(float, hand[4].split("|")), strict=True)) for hand in
             logged_hands(log.getvalue())]  # fmt: skip
    deals = np.array([chips[deal]["Alice"] + chips[deal + 61]["Alice"] for deal in range(61)])
    alice, bob = dealer.win_rates()
    assert alice.big_blinds == pytest.approx(deals.mean() / 200)
    assert alice.standard_error == pytest.approx(deals.std(ddof=1) / 200 / np.sqrt(61))
    assert alice.big_blinds == -bob.big_blinds


def test_half_a_match_counts_the_deals_that_were_played_from_all_seats() -> None:
    """Seat 1 leaves after six hands of 2 × 4: deals 0 and 1 were played twice."""
    dealer = MatchDealer(HEADS_UP, 8, duplicate=True, limits=TimeLimits(response_seconds=30))
    ports = dealer.listen()
    RawPlayer(ports[1], [])
    arguments = ("127.0.0.1", ports[0], CallingAgent(), HEADS_UP)
    leaver = threading.Thread(target=play_match, args=arguments, kwargs={"max_hands": 6})
    leaver.start()
    with pytest.raises(RunFailed, match="left the match in hand 6"):
        dealer.run()
    leaver.join(timeout=30)
    assert [rate.deals for rate in dealer.win_rates()] == [2, 2]


@pytest.mark.long
def test_the_command_reports_duplicate_win_rates() -> None:
    for form in (["--json"], []):
        dealer, ports = started_dealer("--hands", "40", "--duplicate", "--names", "Alice,Bob", *form)
        ports = json.loads(" ".join(ports))["ports"] if form else ports
        players = [holdem("acpc", "127.0.0.1", str(port), "--agent", "always-call") for port in ports]
        for player in players:
            player.communicate(timeout=90)
        out, error = dealer.communicate(timeout=30)
        assert dealer.returncode == 0, error
        if form:
            told = json.loads(out)
            assert (told["method"], told["deals"], told["hands"], told["chips"]) == ("duplicate", 20, 40, [0.0, 0.0])
            assert [rate["name"] for rate in told["win_rates"]] == ["Alice", "Bob"]
            assert [rate["ci95"] for rate in told["win_rates"]] == [[0.0, 0.0]] * 2
        else:
            assert out == "SCORE:0|0:Alice|Bob\n"
            assert "# 20 duplicate deals in " in error and "#   Alice +0.0 ± 0.0: undecided" in error
