"""Every preset loads, can be counted, fits a laptop, and is in the table of the documentation."""

from pathlib import Path

import pytest

from holdem.abstraction.betting.reference_tree import act, first_state, legal_menu_actions
from holdem.abstraction.betting.tree import count_tree
from holdem.abstraction.betting.tree_sizes import default_buckets, format_bytes, main, size_line
from holdem.abstraction.kernels.tree import CALL, FOLD, RAISE
from holdem.game.presets import PRESET_BY_PLAYERS, load_preset, preset_names

DOCUMENT = Path(__file__).parents[3] / "docs" / "betting_trees.md"
LAPTOP_BYTES = 4 * 10**9
SMALL = [name for name in preset_names() if not name.endswith("_large")]
LARGE = [name for name in preset_names() if name.endswith("_large")]


@pytest.mark.parametrize("name", SMALL)
def test_presets_fit_a_laptop(name: str) -> None:
    config = load_preset(name)
    counts = count_tree(config)
    assert config.name == name
    assert counts.decision_nodes > 0
    assert counts.table_bytes(default_buckets(config)) + counts.tree_bytes <= LAPTOP_BYTES


@pytest.mark.parametrize("name", [*SMALL, *(pytest.param(name, marks=pytest.mark.long) for name in LARGE)])
def test_the_documented_sizes_are_true(name: str) -> None:
    assert size_line(load_preset(name)) in DOCUMENT.read_text(encoding="utf-8")


def test_the_presets_are_there() -> None:
    expected = {"headsup_100bb", "headsup_200bb", "jam_or_fold_10bb", "kuhn", "leduc", "short_rank"}
    expected |= {f"{count}max_100bb" for count in ("three", "four", "five", "six")}
    assert expected <= set(preset_names())


@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_big_blind_may_call_an_open_that_everybody_called(players: int) -> None:
    """An open, and calls as far as they go: at least four see the flop, and a 3-bet of it may be called by all."""
    config = load_preset(PRESET_BY_PLAYERS[players])
    state = first_state(config)
    opening = legal_menu_actions(config, state)
    state = act(config, state, *next(action for action in opening if action[0] == RAISE))
    while state.player != 1:
        actions = legal_menu_actions(config, state)
        state = act(config, state, *(actions[1] if actions[1][0] == CALL else actions[0]))
    answers = legal_menu_actions(config, state)
    assert [action for action, _ in answers[:3]] == [FOLD, CALL, RAISE]
    flop = act(config, state, *answers[1])
    assert (flop.street, flop.entered) == (1, min(players, 5))
    state = act(config, state, *answers[2])
    while state.street == 0:
        actions = legal_menu_actions(config, state)
        assert actions[1][0] == CALL
        state = act(config, state, *actions[1])
    assert state.entered == min(players, 5)


def test_the_command_prints_a_table_or_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kuhn", "leduc"]) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[2:] == [size_line(load_preset("kuhn")), size_line(load_preset("leduc"))]
    assert main(["khun"]) == 2
    assert "did you mean kuhn?" in capsys.readouterr().err


def test_format_bytes() -> None:
    counts = (8, 1_200, 4_560_000, 2_000_000_000)
    assert [format_bytes(count) for count in counts] == ["8 B", "1.2 kB", "4.56 MB", "2 GB"]
