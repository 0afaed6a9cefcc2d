"""Agents by `python:module:Class`: how they are found and made, and what their mistakes say."""

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from holdem.errors import AgentFailed, ConfigError
from holdem.game import Action, Agent, Game, GameConfig, RangeAgent, load_preset, observe, public_state
from holdem.game.imported_agent import ImportedAgent, ImportedRangeAgent, open_imported, runs_code

GAME = load_preset("headsup_100bb")
WORKING = """
    from holdem.game import Action

    class Caller:
        name = "caller"
        def act(self, observation):
            return Action.check_or_call()
"""
RANGES = f"""{WORKING}
    import numpy as np

    class Ranger(Caller):
        def range_policy(self, public_state):
            return ANSWER
"""

Write = Callable[..., str]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Write]:
    """Writes a module into the working directory; its name, which no other test has."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    before = set(sys.modules)

    def write_module(text: str, name: str = f"own_{tmp_path.name}") -> str:
        path = tmp_path.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return name

    yield write_module
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_a_class_of_the_working_directory_plays(write: Write) -> None:
    spec = f"python:{write(WORKING)}:Caller"
    agent = open_imported(spec, GAME)
    assert isinstance(agent, Agent) and not isinstance(agent, RangeAgent)
    assert agent.name == "caller"
    assert agent.act(observe(Game(GAME).new_hand(1))) == Action.check_or_call()
    assert runs_code(spec) and runs_code("process:bot") and not runs_code("search:runs/blueprint")


def test_a_module_in_a_package_is_named_with_dots(write: Write) -> None:
    assert open_imported(f"python:{write(WORKING, 'own_package.inner')}:Caller", GAME).name == "caller"


def test_the_environment_comes_after_the_working_directory(write: Write) -> None:
    spec = "python:tests.evaluation.outside_agent:OutsideAgent"
    with pytest.raises(ConfigError, match="needs seed"):  # the checkout is on the path of these tests
        open_imported(spec, GAME)


@pytest.mark.parametrize(
    ("signature", "told"),
    [("self", False), ("self, config", True), ("self, depth=3, *rest, config=None, **more", True)],
)
def test_a_constructor_is_given_the_game_if_it_asks_for_it(write: Write, signature: str, told: bool) -> None:
    module = write(
        f"{WORKING}\n    class Made(Caller):\n        def __init__({signature}):\n"
        f"            self.name = {'config.name' if told else repr('nothing')}\n"
    )
    assert open_imported(f"python:{module}:Made", GAME).name == (GAME.name if told else "nothing")


def test_a_function_that_makes_an_agent_will_do(write: Write) -> None:
    module = write(f"{WORKING}\n    def caller():\n        return Caller()\n")
    assert open_imported(f"python:{module}:caller", GAME).name == "caller"


def test_a_game_that_is_asked_for_must_be_known(write: Write) -> None:
    module = write(f"{WORKING}\n    class Made(Caller):\n        def __init__(self, config): pass\n")
    with pytest.raises(ConfigError, match="wants to know its game; name one with --game"):
        open_imported(f"python:{module}:Made", None)


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        (WORKING, "Calller", "has no class Calller; agents there: Caller"),
        ("x = 1", "Caller", "has no class Caller; it has no class with a method act"),
        ("Caller = 3", "Caller", "is a int and not a class; name the class"),
        ("class Caller:\n    name = 'x'", "Caller", "no Agent: it lacks a method act(observation)"),
        ("class Caller:\n    def act(self, seen): pass", "Caller", "no Agent: it lacks a name, which is a text"),
        ("class Caller:\n    pass", "Caller", "lacks a name, which is a text and a method act(observation)"),
        ("class Caller:\n    def __init__(self, deep, config): pass", "Caller", "its constructor needs deep"),
        ("class Caller:\n    def __init__(self):\n        {}['k']", "Caller", ".py, line 3: KeyError: 'k'"),
        ("class Caller:\n    def act(self, seen:\n        pass", "Caller", ".py, line 2: '(' was never closed"),
        ("import no_such_thing", "Caller", ".py, line 1: ModuleNotFoundError: No module named 'no_such_thing'"),
        ("\n1 / 0", "Caller", ".py, line 2: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit('no\\nway')", "Caller", ".py, line 2: SystemExit: no way"),
    ],
)
def test_mistakes_are_one_sentence(write: Write, text: str, name: str, sentence: str) -> None:
    spec = f"python:{write(text)}:{name}"
    with pytest.raises(ConfigError) as refused:
        open_imported(spec, GAME)
    said = str(refused.value)
    assert sentence in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("python:my_agent", "does not say which class of which module; write python:module:Class"),
        ("python:", "does not say which class"),
        ("python::Tight", "does not say which class"),
        ("python:my agent:Tight", "does not say which class"),
        ("python:my_agent:Tight()", "does not say which class"),
        ("python:folder/my_agent.py:Tight", "names a file, and a module is meant"),
        ("python:my_agent.py:Tight", "write it with dots and without .py"),
        ("python:own_agnt:Tight", "there is no module own_agnt in .*did you mean own_agent?"),
        ("python:own_agent.inner:Tight", "there is no module own_agent.inner in "),
    ],
)
def test_names_that_name_nothing(write: Write, spec: str, sentence: str) -> None:
    write(WORKING, "own_agent")
    with pytest.raises(ConfigError, match=sentence.replace("(", r"\(").replace("?", r"\?")):
        open_imported(spec, GAME)


def test_a_module_that_is_not_the_one_beside_says_which_it_is(write: Write) -> None:
    write(WORKING, "json")
    with pytest.raises(ConfigError, match=r"json has no class Caller.*json.__init__\.py: if yours is meant, give it"):
        open_imported("python:json:Caller", GAME)


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("{}['x']", r"failed at a decision: own_.*\.py, line 7: KeyError: 'x'"),
        ("__import__('sys').exit(3)", r"line 7: SystemExit: 3"),
        ("'fold'", r"answered 'fold'; act must return an Action"),
        ("None", "answered None; act must return an Action"),
        ("Action.raise_to(1)", r"answered raise to 1, and legal are: fold, call 50, raise to 200\.\.10000"),
    ],
)
def test_answers_that_cannot_be_taken_name_the_agent(write: Write, answer: str, sentence: str) -> None:
    module = write(WORKING.replace("Action.check_or_call()", answer))
    agent = open_imported(f"python:{module}:Caller", GAME)
    with pytest.raises(AgentFailed, match=f"python:{module}:Caller .*{sentence}") as failed:
        agent.act(observe(Game(GAME).new_hand(1)))
    assert failed.value.exit_status == 1 and len(str(failed.value).splitlines()) == 1


def test_ctrl_c_inside_an_agent_is_ctrl_c(write: Write) -> None:
    module = write(WORKING.replace("return Action.check_or_call()", "raise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt):
        open_imported(f"python:{module}:Caller", GAME).act(observe(Game(GAME).new_hand(1)))


def test_an_agent_that_tells_its_strategy_is_a_range_agent(write: Write) -> None:
    module = write(RANGES.replace("ANSWER", "[Action.fold(), Action.check_or_call()], np.full((1326, 2), 0.5)"))
    agent = open_imported(f"python:{module}:Ranger", GAME)
    assert isinstance(agent, ImportedRangeAgent) and isinstance(agent, RangeAgent)
    actions, table = agent.range_policy(public_state(Game(GAME).new_hand(1)))
    assert actions == [Action.fold(), Action.check_or_call()]
    assert np.array_equal(table, np.full((1326, 2), 0.5))


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("[Action.fold()], np.full((1326, 1), 0.7)", "range_policy gives 0.7 with .* must add up to 1"),
        ("[Action.fold()], np.ones((169, 1))", r"a table of shape \(169, 1\) for 1 actions; it must be \(1326, 1\)"),
        ("[Action.fold()], [['a']] * 1326", "which is no table of numbers"),
        ("[], np.ones((1326, 0))", "lists no action"),
        ("['fold'], np.ones((1326, 1))", "lists 'fold', which is no Action"),
        ("[Action.raise_to(1)], np.ones((1326, 1))", "range_policy takes raise to 1, and legal are: fold"),
        ("[Action.fold()], np.full((1326, 1), np.nan)", "range_policy gives nan"),
        ("3", r"failed in range_policy: .*TypeError"),
        ("1 / 0", r"failed in range_policy: own_.*ZeroDivisionError"),
    ],
)
def test_strategies_that_are_none_name_the_agent(write: Write, answer: str, sentence: str) -> None:
    module = write(RANGES.replace("ANSWER", answer))
    agent = open_imported(f"python:{module}:Ranger", GAME)
    assert isinstance(agent, ImportedRangeAgent)
    with pytest.raises(AgentFailed, match=f"python:{module}:Ranger.*{sentence}"):
        agent.range_policy(public_state(Game(GAME).new_hand(1)))


def test_an_agent_is_known_by_its_source(write: Write, tmp_path: Path) -> None:
    """Deals of an agent that was changed since are not those of the agent."""
    module = write(WORKING)
    agent = open_imported(f"python:{module}:Caller", GAME)
    before = agent.identity()
    assert before["python"] == f"python:{module}:Caller"
    write(WORKING + "\n\n")
    assert agent.identity()["source"] != before["source"]


def test_what_an_agent_holds_is_closed_if_it_says_how(write: Write) -> None:
    closing = "\n        closed = 0\n        def close(self):\n            Caller.closed += 1\n"
    module = write(WORKING + closing)
    agent = open_imported(f"python:{module}:Caller", GameConfig())
    assert isinstance(agent, ImportedAgent)
    agent.close()
    assert sys.modules[module].Caller.closed == 1


@pytest.mark.parametrize(
    "body", ["name = property(lambda self: 1 / 0)", "def __getattr__(self, name): raise OSError('who asks?')"]
)
def test_an_agent_that_cannot_be_asked_is_refused(write: Write, body: str) -> None:
    module = write(f"class Odd:\n    {body}\n    def act(self, observation): ...\n")
    with pytest.raises(ConfigError, match=f"^python:{module}:Odd cannot be asked what it is: "):
        open_imported(f"python:{module}:Odd", GAME)


def test_a_close_that_fails_is_a_warning(write: Write, caplog: pytest.LogCaptureFixture) -> None:
    module = write(f"{textwrap.dedent(WORKING)}    def close(self): raise ValueError('stuck')\n")
    open_imported(f"python:{module}:Caller", GAME).close()
    assert "failed at its close: " in caplog.text
    assert "stuck" in caplog.text
