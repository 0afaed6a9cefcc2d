"""The published settings: figures as printed in the supplement, and menus that LBR knows."""

from holdem.evaluation.response.local.published import AGENTS, PUBLISHED


def test_the_figures_are_those_of_the_supplement() -> None:
    """Moravčík et al. 2017; three each of Slumbot and of the agent with all cards also in Lisý and Bowling 2017."""
    columns = list(zip(*([figure.mbb_per_hand for figure in setting.figures] for setting in PUBLISHED), strict=True))
    assert {agent.name: column for agent, column in zip(AGENTS, columns, strict=True)} == {
        "Slumbot 2016": (522, 4020, 3763, 1227),
        "DeepStack": (-428, -383, -775, -602),
        "all cards": (-424, -536, 2403, 1008),
    }
    assert [agent.big_blinds for agent in AGENTS] == [200, 200, 100]


def test_the_settings_are_menus_by_street() -> None:
    assert [setting.menus for setting in PUBLISHED] == [
        ("fc", "fc", "fc", "fc"),
        ("c", "c", "fcpa", "fcpa"),
        ("c", "c", "wide", "wide"),
        ("c", "wide", "fc", "fc"),
    ]
