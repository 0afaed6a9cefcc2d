"""Lines of a litmus file that hold for any tree: which of its nodes a line in words may mean.

A line is what `parse_line` reads, and in its part before the flop these steps may stand for many actions:

    folds to BTN            everybody folds until the button acts; folds to anybody: whoever is next, after any folds
    callers to BB           everybody folds or calls until the big blind acts, and at least one calls; or to anybody
    any raise               every raise of the tree that is not all-in

`folds to UTG, any raise, folds to BB` are all spots where only UTG has opened, one for each of its sizes. A size in the
line that is not in the tree is taken as the nearest one, and `replaced` says so.
"""

import re
from collections.abc import Iterator

from holdem.abstraction.betting.line import BettingLine, parse_line
from holdem.abstraction.betting.tree import ActionCode, BettingTree, NodeKind, position_names
from holdem.errors import IllegalAction

ANYBODY = "ANYBODY"
_ROUND_TO = re.compile(
    r"(?:(?:every(?:body|one)\s+)?(?P<folds>folds?)\s+(?:round\s+)?|callers\s+)to\s+(?P<who>\w+)", re.IGNORECASE
)
_ANY_RAISE = re.compile(r"(?:(?P<who>\w+)\s+)?any\s+raise", re.IGNORECASE)


def is_pattern(line: str) -> bool:
    """Whether a line may mean several nodes of one tree."""
    for words in line.partition("|")[0].split(","):
        passed = _ROUND_TO.fullmatch(words.strip())
        if _ANY_RAISE.fullmatch(words.strip()) or (
            passed and (not passed["folds"] or passed["who"].upper() == ANYBODY)
        ):
            return True
    return False


def matching_lines(tree: BettingTree, line: str) -> list[BettingLine]:
    """Where a line may lead, each with its board; an IllegalAction where the tree has nothing of the kind."""
    first, *later = line.split("|")
    branches = [BettingLine(0, ())]
    for words in filter(None, (part.strip() for part in first.split(","))):
        branches = _from_each(tree, branches, words)
    if later:
        branches = _from_each(tree, branches, " | " + " | ".join(part.strip() for part in later))
    return branches


def _from_each(tree: BettingTree, branches: list[BettingLine], words: str) -> list[BettingLine]:
    """Take a step from every branch that has it; the first refusal if none has."""
    taken: list[BettingLine] = []
    refused: IllegalAction | None = None
    for branch in branches:
        try:
            taken += _step(tree, branch, words)
        except IllegalAction as error:
            refused = refused or error
    if not taken and refused is not None:
        raise refused
    return taken


def _step(tree: BettingTree, branch: BettingLine, words: str) -> list[BettingLine]:
    passed, raised = _ROUND_TO.fullmatch(words), _ANY_RAISE.fullmatch(words)
    if (passed or raised) and tree.kind[branch.node] != NodeKind.DECISION:
        raise IllegalAction(f"the hand is over after {tree.describe(branch.node)!r}; leave out {words!r}")
    if passed:
        nodes = _passed_to(tree, branch.node, passed["who"].upper(), callers=not passed["folds"])
    elif raised:
        nodes = _any_raise(tree, branch.node, raised["who"])
    else:
        before = tree.describe(branch.node)
        joint = "" if not before or words.startswith(" |") else ", "
        found = parse_line(tree, before + joint + words, nearest=True)
        return [BettingLine(found.node, found.board, branch.replaced + found.replaced)]
    return [BettingLine(node, (), branch.replaced) for node in nodes]


def _passed_to(tree: BettingTree, node: int, who: str, callers: bool) -> list[int]:
    """Decisions of `who` after everybody before has folded, or, with callers, has folded or called."""
    names = position_names(tree.config)
    wanted = "SB" if len(names) == 2 and who == "BTN" else who
    if wanted not in (*names, ANYBODY):
        raise IllegalAction(f"there is no {who} at a table of {len(names)}; its positions are {', '.join(names)}")
    nodes = [
        found
        for found, called in _passes(tree, node, callers, {int(tree.player[node])})
        if called == callers and wanted in (ANYBODY, names[int(tree.player[found])])
    ]
    if not nodes:
        how = "folds and calls" if callers else "folds"
        raise IllegalAction(f"the hand does not come to {who} by {how} after {tree.describe(node) or 'the start'!r}")
    return nodes


def _passes(tree: BettingTree, node: int, callers: bool, seen: set[int]) -> Iterator[tuple[int, bool]]:
    """Every decision that folds (and calls) lead to before the betting comes round, and whether somebody called."""
    yield node, False
    for child in tree.children(node):
        action = int(tree.action[child])
        if action != ActionCode.FOLD and not (callers and action == ActionCode.CALL):
            continue
        if tree.kind[child] != NodeKind.DECISION or tree.street[child] > 0 or int(tree.player[child]) in seen:
            continue
        for found, called in _passes(tree, child, callers, seen | {int(tree.player[child])}):
            yield found, called or action == ActionCode.CALL


def _any_raise(tree: BettingTree, node: int, who: str | None) -> list[int]:
    """The raises of a decision that leave chips behind."""
    actor = int(tree.player[node])
    name = position_names(tree.config)[actor]
    if who is not None and who.upper() != name:
        raise IllegalAction(f"it is {name} who acts after {tree.describe(node) or 'the start'!r}, not {who.upper()}")
    stack = tree.config.starting_stacks[actor]
    raises = [
        child
        for child in tree.children(node)
        if tree.action[child] == ActionCode.RAISE and tree.chips_in[child, actor] < stack
    ]
    if not raises:
        raise IllegalAction(f"{name} has no raise but all-in after {tree.describe(node) or 'the start'!r}")
    return raises
