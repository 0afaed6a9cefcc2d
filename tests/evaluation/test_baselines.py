"""The baselines: legal everywhere, true to their names, and a self-match of exactly zero."""

import random

import numpy as np
import pytest

from holdem.cards import equity, parse_cards
from holdem.errors import ConfigError
from holdem.evaluation.baselines import BASELINES, open_baseline
from holdem.evaluation.baselines.by_strength import share_of_better_hands
from holdem.evaluation.baselines.hand_strength import SAMPLES, chance_against, equity_of
from holdem.game import Action, Agent, Game, GameConfig, Hand, observe, play_duplicate
from tests.game.tables import random_hand, table

NAMES = ("random", "always-call", "always-raise", "fold-to-any-bet", "pot-odds", "tight-aggressive", "loose-aggressive")


def decide(name: str, hand: Hand, deal: int = 1) -> Action:
    return open_baseline(name).act(observe(hand, deal))


def frequencies(name: str, hand: Hand, deals: int = 400) -> dict[str, float]:
    """How often each kind of action is drawn over many deals of the same spot."""
    kinds = [decide(name, hand, deal).kind.value for deal in range(deals)]
    return {kind: kinds.count(kind) / deals for kind in set(kinds)}


def test_the_names() -> None:
    assert tuple(BASELINES) == NAMES
    assert [open_baseline(name).name for name in NAMES] == list(NAMES)
    assert all(isinstance(open_baseline(name), Agent) for name in NAMES)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"did you mean tight-aggressive\?"):
        open_baseline("tight-agressive")


@pytest.mark.parametrize("name", NAMES)
def test_always_legal(name: str) -> None:
    """Random hands of every kind: 2 to 6 seats, short decks and boards, antes, straddles, blinds all-in."""
    rng = random.Random(5)
    agent = open_baseline(name)
    acted = 0
    for number in range(150):
        hand = random_hand(rng, until=0.3)
        if hand.actor is not None:
            observation = observe(hand, number)
            assert observation.legal.allows(agent.act(observation))
            acted += 1
    assert acted > 50


@pytest.mark.parametrize("name", NAMES)
def test_a_self_match_is_exactly_zero(name: str) -> None:
    for seats in (2, 3, 6):
        game = Game(GameConfig(num_players=seats))
        for deal in range(5):
            assert play_duplicate(game, [open_baseline(name)] * seats, deal) == (0,) * seats


def test_fold_to_any_bet_loses_what_folding_loses() -> None:
    """Folding every hand loses half a blind as small blind and a whole one as big blind: 750 mbb/hand (published)."""
    game = Game(GameConfig())
    chips = [
        play_duplicate(game, [open_baseline("fold-to-any-bet"), open_baseline("always-raise")], d)[0] for d in range(20)
    ]
    assert np.mean(chips) / 2 / 100 == -0.75


def test_random_draws_every_kind_alike() -> None:
    """Three kinds at the first decision: each a third, within four standard errors of 400 draws."""
    shares = frequencies("random", table((10_000, 10_000)))
    assert set(shares) == {"fold", "check or call", "raise to"}
    for share in shares.values():
        assert abs(share - 1 / 3) < 4 * np.sqrt(2 / 9 / 400)


def test_callers_and_raisers() -> None:
    hand = table((10_000, 10_000), "r300")
    assert decide("always-call", hand) == Action.check_or_call()
    assert decide("always-raise", hand) == Action.raise_to(300 + 600), "by the pot after a call of 300"
    assert decide("fold-to-any-bet", hand) == Action.fold()
    assert decide("fold-to-any-bet", table((10_000, 10_000), "r300 c")) == Action.check_or_call()


def deep(actions: str, pairs: str, board: str = "4h5s8sJdQs") -> Hand:
    return table((10_000, 10_000), actions, pairs=pairs, board=board)


def test_pot_odds_pays_what_its_chance_is_worth() -> None:
    start = "r300 c c c c c"
    splits = deep(start + " r100", "QhJh 7c2d", "KcKdKhAsAd")  # the board plays: half of the pot against most hands
    assert decide("pot-odds", splits) == Action.check_or_call()
    assert decide("pot-odds", deep(start + " r9700", "QhJh 3c2d", "KcTd9h7s4d")) == Action.fold()
    strong = deep("r300 c", "KhKs 3c2d", "KcKd9h8s2c")
    assert decide("pot-odds", strong) == Action.raise_to(300), "half of the pot of six blinds"


def test_tight_and_loose() -> None:
    """King-four offsuit is among the best 45 % of hands and not among the best 35 %."""
    assert 0.35 < share_of_better_hands(equity_of(tuple(sorted(parse_cards("Kc4d"))), ())) < 0.45
    assert decide("tight-aggressive", deep("", "2c2d Kc4d")) == Action.fold()
    assert decide("loose-aggressive", deep("", "2c2d Kc4d")) == Action.raise_to(300)
    bluffs = {}
    for name in ("tight-aggressive", "loose-aggressive"):
        assert decide(name, deep("", "7c2d AcAd")) == Action.raise_to(300)
        assert decide(name, deep("", "AcAd 7c2d")) == Action.fold()
        nuts = deep("r300 c", "KhKs 3c2d", "KcKd9h8s2c")
        assert decide(name, nuts) == Action.raise_to(450), "three quarters of the pot of six blinds"
        bluffs[name] = frequencies(name, deep("r300 c", "3h2s AcAd", "KcQdTh9s9d")).get("raise to", 0.0)
    tolerance = 4 * np.sqrt(0.2 * 0.8 / 400)  # four standard errors of 400 draws
    assert bluffs == pytest.approx({"tight-aggressive": 0.05, "loose-aggressive": 0.2}, abs=tolerance)


def test_strength_is_equity_against_random_hands() -> None:
    """Exact before the flop (AA has 85.2037 %, as published) and on the river, sampled in between."""
    assert equity_of(parse_cards("AcAd"), ()) == pytest.approx(0.852037, abs=1e-6)
    for board in ("Kc7d2h", "Kc7d2h9s", "Kc7d2h9s3c"):
        for hole in ("AcAd", "QhJh"):
            exact = equity(hole, "random", board).equity
            ours = equity_of(tuple(sorted(parse_cards(hole))), tuple(sorted(parse_cards(board))))
            # A mean of 500 results between 0 and 1 has a standard error of at most 0.5 / sqrt(500).
            assert abs(ours - exact) < (1e-9 if len(board) == 10 else 4 * 0.5 / np.sqrt(SAMPLES))
    aces = parse_cards("AcAd")
    assert chance_against(aces, (), 2) == pytest.approx(equity_of(aces, ()) ** 2)
    assert share_of_better_hands(equity_of(aces, ())) == 0.0
    assert share_of_better_hands(equity_of(parse_cards("KcKd"), ())) == 6 / 1326
