"""Betting lines in words: everything that `describe` writes is read back, and people's habits are understood."""

import numpy as np
import pytest

from holdem.abstraction.betting.line import format_line, parse_line
from holdem.abstraction.betting.tree import BettingTree, NodeKind, build_tree
from holdem.cards import parse_cards
from holdem.errors import CardError, HoldemError, IllegalAction
from holdem.game.presets import load_preset
from holdem.types import GameConfig
from tests.earlier_games import earlier_game

HEADS_UP = build_tree(earlier_game("headsup_100bb"))
OPENING = GameConfig.model_validate(
    {**load_preset("headsup_100bb").model_dump(), "betting": {"sizes": {"preflop": "2.5x, 2.75x, a", "flop": "33%, a"}}}
)


@pytest.mark.parametrize("name", ["headsup_100bb", "kuhn", "leduc", "short_rank", "threemax_100bb", "jam_or_fold_10bb"])
def test_what_the_tree_says_is_read_back(name: str) -> None:
    tree = build_tree(load_preset(name))
    nodes = np.flatnonzero(tree.kind == NodeKind.DECISION)
    generator = np.random.default_rng(1)
    for node in generator.choice(nodes, size=min(len(nodes), 300), replace=False).tolist():
        assert parse_line(tree, tree.describe(node)).node == node


def test_the_line_with_its_cards_is_read_back() -> None:
    board = parse_cards("Ks7d2c5h9s")
    nodes = np.flatnonzero(HEADS_UP.kind == NodeKind.DECISION)
    for node in np.random.default_rng(2).choice(nodes, size=300).tolist():
        shown = board[: HEADS_UP.config.board_cards[HEADS_UP.street[node]]]
        line = parse_line(HEADS_UP, format_line(HEADS_UP, node, shown))
        assert (line.node, line.board) == (node, shown)


@pytest.mark.parametrize(
    "text",
    [
        "SB raise 3bb, BB call | Ks7d2c",
        "sb Raise 3BB, bb CALL|Ks 7d 2c",
        "raise to 3bb, call | Ks,7d,2c",
        "BTN raises 3, c | ks7d2c",
        "r 300, calls | Ks7d2c",
        "raise 300c, call | Ks7d2c ",
        "BU: 3bb, BB: call | Ks7d2c,",
    ],
)
def test_peoples_habits(text: str) -> None:
    line = parse_line(HEADS_UP, text)
    assert HEADS_UP.describe(line.node) == "SB raise 3bb, BB call"
    assert HEADS_UP.street[line.node] == 1
    assert line.board == parse_cards("Ks7d2c")


@pytest.mark.parametrize(
    "text", ["jam", "SB all-in", "shove", "raise all-in", "raise 100bb all-in", "r 100bb", "allin"]
)
def test_all_in(text: str) -> None:
    assert HEADS_UP.describe(parse_line(HEADS_UP, text).node) == "SB raise 100bb all-in"


@pytest.mark.parametrize(
    ("text", "chips"), [("2.5bb", 250), ("2.75bb", 275), ("2.8bb", 275), ("2.7", 275), ("2.53", 250)]
)
def test_amounts_are_roundings(text: str, chips: int) -> None:
    tree = build_tree(OPENING)
    assert tree.amount[parse_line(tree, f"raise {text}").node] == chips


def test_the_start_and_a_street_without_cards() -> None:
    assert parse_line(HEADS_UP, "").node == 0
    assert parse_line(HEADS_UP, "call, check |").board == ()
    assert format_line(HEADS_UP, 0) == ""
    later = parse_line(HEADS_UP, "call, check | Ks7d2c x, bet 1bb, call | 5h")
    assert HEADS_UP.street[later.node] == 2
    assert format_line(HEADS_UP, later.node, later.board) == (
        "SB call, BB check | Ks7d2c BB check, SB bet 1bb, BB call | 5h"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SB raise 4bb", "'SB raise 4bb' is not in the tree: at the start SB can fold, call, raise 2bb, raise 3bb or"),
        ("raise", "raise 2bb, raise 3bb or raise 100bb all-in"),
        ("check", "fold, call, raise 2bb"),
        ("BB call", "it is SB who acts first, not BB"),
        ("UTG call", "it is SB who acts first, not UTG"),
        ("call, fold", "after 'SB call' BB can check, raise 2bb, raise 3bb or raise 100bb all-in"),
        ("call 3bb", "is not in the tree"),
        ("SB ", "'SB' is not in the tree: at the start SB can fold, call"),
        ("call, check | x, SB:", "'SB:' is not in the tree: after 'SB call, BB check | BB check' SB can check, bet"),
        ("dance", "'dance' is not in the tree"),
        ("raise 3 potatoes", "is not in the tree"),
        ("raise 3bb | Ks7d2c", "so there is no flop yet; BB can fold, call"),
        ("fold, call", "the hand is over after 'SB fold'"),
        ("jam, call | Ks7d2c", "the hand is over"),
        ("call, check | x, x | x, x | x, x |", "the hand is over"),
    ],
)
def test_what_is_not_in_the_tree_is_refused_with_what_is(text: str, said: str) -> None:
    with pytest.raises(IllegalAction) as refusal:
        parse_line(HEADS_UP, text)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("call, check | Ks7d", "the flop brings 3 cards, not 2"),
        ("call, check | Ks7dKs", "appears twice"),
        ("call, check | x, x | 5h", "the line names 1 board card, and the turn has 4"),
        ("Ks7d2c call", "the preflop brings 0 cards"),
    ],
)
def test_wrong_cards_are_refused(text: str, said: str) -> None:
    with pytest.raises(CardError) as refusal:
        parse_line(HEADS_UP, text)
    assert said in str(refusal.value)


def test_a_position_alone_is_no_bet() -> None:
    """Not even where one size is all that there is."""
    tree = build_tree(load_preset("jam_or_fold_10bb"))
    assert tree.describe(parse_line(tree, "SB raise").node) == "SB raise 10bb all-in"
    for nearest in (False, True):
        with pytest.raises(IllegalAction, match="'SB' is not in the tree"):
            parse_line(tree, "SB ", nearest)


def test_games_without_blinds() -> None:
    tree: BettingTree = build_tree(load_preset("leduc"))
    line = parse_line(tree, "P0 check, P1 bet 2, raise 4, call | check")
    assert tree.describe(line.node) == "P0 check, P1 bet 2, P0 raise 4, P1 call | P0 check"
    with pytest.raises(HoldemError, match="P0 can check or bet 2"):
        parse_line(tree, "bet 3")


def test_a_size_that_is_not_there_can_be_the_nearest() -> None:
    line = parse_line(HEADS_UP, "SB raise 2.5bb, BB call | Ks7d2c", nearest=True)
    assert HEADS_UP.describe(line.node) == "SB raise 3bb, BB call"
    assert line.replaced == ("'SB raise 2.5bb' is not in the tree; taken as raise 3bb",)
    assert parse_line(HEADS_UP, "raise 2.2bb", nearest=True).node == parse_line(HEADS_UP, "raise 2bb").node
    with pytest.raises(IllegalAction, match="not in the tree"):
        parse_line(HEADS_UP, "SB raise 2.5bb")
    for amount in ("9" * 400, "0." + "0" * 400 + "1", "٣"):
        with pytest.raises(IllegalAction, match="not in the tree"):
            parse_line(HEADS_UP, f"SB raise {amount}bb", nearest=True)
