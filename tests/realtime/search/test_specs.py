"""Agents by what people type."""

import json
from pathlib import Path

import pytest

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import ConfigError
from holdem.game.presets import load_preset
from holdem.realtime.search.agent import SearchAgent
from holdem.realtime.search.specs import AgentSpec, agent_identity, open_agent
from holdem.types import SearchConfig
from tests.table.policies import save_jam_or_fold


def test_what_a_spec_says() -> None:
    assert AgentSpec.parse("always-call") == AgentSpec("always-call")
    assert AgentSpec.parse("runs/a+b:c") == AgentSpec("runs/a+b:c")
    assert AgentSpec.parse("search:runs/a+b:c") == AgentSpec("runs/a+b:c", searches=True)
    spec = AgentSpec.parse("search+root=resolve+time_budget_ms=20:runs/a")
    assert spec == AgentSpec("runs/a", True, (("root", "resolve"), ("time_budget_ms", "20")))
    base = SearchConfig(min_iters=7, time_budget_ms=500)
    assert spec.search_config(base) == SearchConfig(min_iters=7, time_budget_ms=20, root="resolve")
    assert AgentSpec.parse("search:runs/a").search_config(None) == SearchConfig()


def test_opened_with_its_own_settings(tmp_path: Path) -> None:
    run = save_jam_or_fold(tmp_path / "run")
    agent = open_agent(f"search+iterations=5+root=max-margin:{run}")
    assert isinstance(agent, SearchAgent)
    assert (agent.controller.config.iterations, agent.controller.config.root) == (5, "max-margin")
    assert agent.name == f"search+iterations=5+root=max-margin:{run}"
    assert isinstance(open_agent(str(run)), BlueprintAgent)


def test_an_identity_is_what_is_played_by_wherever_it_lies(tmp_path: Path) -> None:
    run, moved = save_jam_or_fold(tmp_path / "run"), save_jam_or_fold(tmp_path / "moved")
    plain = agent_identity(open_agent(str(run)))
    assert plain == agent_identity(open_agent(str(moved)))
    assert agent_identity(open_agent("always-call")) == {"name": "always-call"}
    one, same, other = (
        agent_identity(open_agent(f"search+iterations={count}:{folder}"))
        for count, folder in ((5, run), (5, moved), (6, run))
    )
    assert one == same != other
    assert one["policy"] == plain["policy"]
    assert json.loads(json.dumps(one)) == one


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("search+root:{run}", "not KEY=VALUE"),
        ("search+rot=unsafe:{run}", "did you mean root?"),
        ("search+time_budget_ms=soon:{run}", "time_budget_ms"),
        ("search+root=safe:{run}", "root"),
        ("search:nowhere", "neither a file nor a baseline"),
        ("always-cal", "did you mean always-call?"),
        ("", "no run was named; name one, such as models/headsup"),
        ("search:", "no run was named in 'search:'; name one, such as search:models/headsup"),
        ("search+root=unsafe:", "name one, such as search+root=unsafe:models/headsup"),
    ],
)
def test_mistakes_get_a_sentence(spec: str, sentence: str, tmp_path: Path) -> None:
    run = save_jam_or_fold(tmp_path / "run")
    with pytest.raises(ConfigError) as caught:
        open_agent(spec.format(run=run))
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_blueprint_for_other_seats_names_no_flag(tmp_path: Path) -> None:
    """Verbs without `--game` say it, too."""
    run = save_jam_or_fold(tmp_path / "run")
    with pytest.raises(ConfigError, match=r"has 3 seats; choose a blueprint for that many, or a game for 2$"):
        open_agent(str(run), load_preset("threemax_100bb"))
