"""A fingerprint holds what shapes a table, and nothing else."""

import json
from typing import Any

import pytest

from holdem.policy.fingerprint import Fingerprint, differences, fingerprint, fingerprint_hash
from holdem.types import GameConfig, MCCFRConfig
from tests.earlier_games import earlier_game

BUCKETS = (169, 50, 50, 50)


def changed(**changes: object) -> GameConfig:
    return GameConfig.model_validate({**earlier_game("headsup_100bb").model_dump(), **changes})


def of(game: GameConfig | None = None, bucket_hash: str = "abc", **training: Any) -> Fingerprint:
    config = MCCFRConfig.model_validate(training)
    return fingerprint(game or changed(), BUCKETS, bucket_hash, config.model_dump())


def test_it_survives_json() -> None:
    content = of()
    again = json.loads(json.dumps(content))
    assert again == content
    assert differences(content, again) == []
    assert fingerprint_hash(again) == fingerprint_hash(content)


@pytest.mark.parametrize(
    "training",
    [
        {"num_iterations": 7, "time_budget_seconds": 3.0, "num_workers": 4, "batch_size": 1},
        {"checkpoint_interval": 3, "snapshot_interval_seconds": 5.0},
        {"exploration_epsilon": 0.1},  # external sampling does not explore
        {"seed": 5},
    ],
)
def test_what_does_not_shape_a_table_is_not_in_it(training: dict[str, Any]) -> None:
    assert of(**training) == of()


def test_names_and_spelling_do_not_matter() -> None:
    sizes = {"preflop": ["50%,100%,  a"], "flop": "50%, 100%, a", "turn": "50%, 100%, a", "river": "50%, 100%, a"}
    other = changed(name="mine", stacks=[10000, 10000], betting={"sizes": sizes, "max_raises": 3})
    assert of(other) == of()
    assert of(pruning_threshold=-1.0, enable_pruning=False) == of(enable_pruning=False)


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (of(changed(stacks=20000)), "game.stacks: was [10000, 10000], is [20000, 20000]"),
        (of(bucket_hash="def"), 'buckets.content_hash: was "abc", is "def"'),
        (of(discount_interval=9), "training.discount_interval: was 5000, is 9"),
        (of(pruning_threshold=-5.0), "training.pruning_threshold: was -300000000.0, is -5.0"),
    ],
)
def test_a_difference_is_named(other: Fingerprint, said: str) -> None:
    assert differences(of(), other) == [said]
    assert fingerprint_hash(other) != fingerprint_hash(of())


def test_a_setting_that_begins_to_matter_shows() -> None:
    found = differences(of(), of(sampling="outcome"))
    assert found == [
        "training.exploration_epsilon: was nothing, is 0.6",
        'training.sampling: was "external", is "outcome"',
    ]


@pytest.mark.parametrize(
    ("name", "pinned"),
    [
        ("headsup_100bb", "2893e7f4975ee508"),
        ("threemax_100bb", "9339b203b1632502"),
        ("sixmax_100bb", "a821aa9ff4aeefd8"),
    ],
)
def test_games_of_earlier_versions_keep_their_fingerprints(name: str, pinned: str) -> None:
    """Computed before the betting learned limps by position, opens, crowds: old runs go on, old policies load."""
    game = earlier_game(name)
    assert fingerprint_hash(fingerprint(game, BUCKETS, "x")) == pinned
    assert set(game.model_dump()["betting"]) == {
        *("sizes", "multiway_sizes", "multiway_from", "max_raises", "limps", "max_flop_players"),
        *("merge_threshold", "all_in_threshold"),
    }


def test_later_fields_of_the_betting_shape_it_once_they_are_used() -> None:
    betting = {"opens": {"SB": "2x,  3x"}, "isolation": "100%, a", "crowd_sizes": {"flop": "50%, a"}}
    spaced, tight = changed(betting=betting), changed(betting={**betting, "opens": {"SB": "2x, 3x"}})
    assert of(spaced) == of(tight)
    assert of(spaced)["game"]["betting"]["opens"] == {"SB": "2x,3x"}
    assert differences(of(spaced), of(changed(betting=betting | {"invested_may_call": 2}))) == [
        "game.betting.invested_may_call: was nothing, is 2"
    ]
    assert GameConfig.model_validate(json.loads(spaced.model_dump_json())) == spaced
