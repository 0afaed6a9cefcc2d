"""One colour per action, the same in the terminal and in pictures: blue folds, green calls, the redder the bigger.

All are light enough for black letters.
"""

from collections.abc import Sequence

FOLD = "#5b8def"
CHECK_OR_CALL = "#5fb36a"
RAISES = ("#f7d154", "#f2b04a", "#f0883e", "#e8704f", "#e05a5a")
ALL_IN = "#d63a6a"
UNVISITED = "#8a8a8a"
IMPOSSIBLE = "#e8e8e8"


def action_colours(actions: Sequence[str]) -> list[str]:
    """Colours of actions in words, in the tree's order."""
    colours = []
    raises = 0
    for action in actions:
        if action == "fold":
            colours.append(FOLD)
        elif action in ("check", "call"):
            colours.append(CHECK_OR_CALL)
        elif "all-in" in action:
            colours.append(ALL_IN)
        else:
            colours.append(RAISES[min(raises, len(RAISES) - 1)])
            raises += 1
    return colours
