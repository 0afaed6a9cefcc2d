"""The pictures of models: who is shown against what, and colours that are the actions' own."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor

from docs.make_model_pictures import draw, panels, store
from holdem.abstraction.betting.line import parse_line
from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.blueprint.colours import ALL_IN, CHECK_OR_CALL, FOLD, RAISES
from holdem.policy.policy import AveragePolicy, PolicyInfo
from holdem.types import GameConfig
from tests.table.policies import ONE_BUCKET

LARGEST_BYTES = 120_000


def opening_policy(players: int, usual: str) -> AveragePolicy:
    """Random rows of a small game; whoever is first to act nearly always opens with `usual`."""
    sizes = {"preflop": "2.5x, 4x, a", "flop": "100%", "turn": "a", "river": "a"}
    betting = {"sizes": sizes, "max_raises": 2, "max_flop_players": 2}
    config = GameConfig.model_validate({"num_players": players, "stacks": 2_000, "betting": betting})
    tree = build_tree(config)
    layout = layout_rows(tree, ONE_BUCKET)
    sums = np.random.default_rng(3).random(layout.entries)
    wanted = parse_line(tree, usual).node - int(tree.first_child[0])
    for bucket in range(ONE_BUCKET[0]):
        sums[layout.row_start(0, bucket) + wanted] = 50.0
    return AveragePolicy.from_strategy_sums(PolicyInfo(config, ONE_BUCKET, 10), sums, tree)


def test_the_big_blind_is_shown_against_the_usual_open_of_each_position() -> None:
    first_in, defence = panels(opening_policy(3, "BTN raise 4bb"))
    assert [panel.title for panel in first_in] == ["BTN, first in", "SB, first in"]
    assert defence[0].title == "BB against BTN raise 4bb"
    assert defence[0].view.summary.line == "BTN raise 4bb, SB fold"
    assert [panel.view.summary.position for panel in defence] == ["BB", "BB"]
    assert first_in[1].view.summary.line == "BTN fold"


def test_heads_up_it_is_shown_against_two_and_a_half_big_blinds_beside_the_button() -> None:
    ((button, answer),) = panels(opening_policy(2, "SB raise 4bb"))
    assert (button.title, answer.title) == ("SB, first in", "BB against SB raise 2.5bb")
    assert button.view.frequencies().argmax() == 3  # fold, call, 2.5bb, 4bb


@pytest.mark.long
def test_a_picture_of_ten_grids_is_small_and_has_the_colours_of_the_actions(tmp_path: Path) -> None:
    path = tmp_path / "six.png"
    rows = panels(opening_policy(6, "UTG raise 2.5bb"))
    assert [len(row) for row in rows] == [5, 5]
    draw(rows, path)
    store(path)
    assert path.stat().st_size <= LARGEST_BYTES
    with Image.open(path) as picture:
        assert picture.mode == "P"
        pixels = picture.convert("RGB").getcolors(1 << 16)
    found = {colour for count, colour in pixels or [] if count > 100}
    for name in (FOLD, CHECK_OR_CALL, RAISES[0], RAISES[1], ALL_IN, "#ffffff"):
        assert ImageColor.getrgb(name) in found
