"""The verbs of `holdem`: where each lives, under which heading it is listed, and its line there.

Listing and completing verbs must not import them, because most bring compiled code. So the lines are here as well as
in the docstrings, and a test holds them equal.
"""

from typing import NamedTuple

TRAIN, LOOK, MEASURE, SOLVE, PLAY = "Train", "Look", "Measure", "Solve", "Play"


class Verb(NamedTuple):
    """`module`: of `holdem.cli`; one with an `app` has verbs of its own, any other has a `command`.

    `argument` is what its first argument names, for completion: `run`, `training` (a run that was trained here),
    `agent`, `hands` or `shipped`.
    """

    module: str
    heading: str
    line: str
    argument: str = ""


WITH_VERBS = ("buckets", "models")
"""Those that have verbs of their own."""
VERBS = {
    "train": Verb("train_blueprint", TRAIN, "Train a blueprint, resumable and observable."),
    "monitor": Verb("monitor", TRAIN, "Follow a run from another terminal.", "training"),
    "compare": Verb("compare", TRAIN, "Rank the instances of a run by measured quality.", "training"),
    "merge": Verb("merge", TRAIN, "Make one blueprint of the instances of a run.", "training"),
    "buckets": Verb("buckets", TRAIN, "Card abstractions: build one, look into it, ask it for a hand."),
    "doctor": Verb("doctor", TRAIN, "Check this machine for training."),
    "models": Verb("models", LOOK, "List the trained models that come with the package."),
    "show": Verb("show", LOOK, "Show the strategy at one point of the betting.", "run"),
    "litmus": Verb("litmus", LOOK, "Look for what no sensible strategy does.", "run"),
    "report": Verb("report", LOOK, "Write one HTML page about a run.", "run"),
    "export": Verb("export", LOOK, "Write a policy as JSON or CSV, for your own tools.", "run"),
    "eval": Verb("eval_blueprint", MEASURE, "Play a blueprint against opponents, with 95 % intervals."),
    "match": Verb("match", MEASURE, "Play agents against each other, with 95 % intervals.", "agent"),
    "lbr": Verb("lbr", MEASURE, "Measure what a strategy loses at least: local best response.", "agent"),
    "best-response": Verb("best_response", MEASURE, "Measure what a perfect answer to a strategy wins.", "run"),
    "leaf-values": Verb("leaf_values", MEASURE, "Compute what the rest of a hand is worth, for AIVAT.", "run"),
    "files": Verb("files", LOOK, "List the files that come with the package, or print one.", "shipped"),
    "solve": Verb("solve", SOLVE, "Solve a heads-up spot after the flop."),
    "equity": Verb("equity", SOLVE, "Compute the equity of a hand or range against another."),
    "play": Verb("play", PLAY, "Play against the bot in this terminal."),
    "serve": Verb("serve", PLAY, "Play, look into strategies and follow training in a browser."),
    "dry-run": Verb("run_dry_run", PLAY, "Watch a table and print what the bot would do; it never acts."),
    "autoplay": Verb("run_autoplay", PLAY, "Let the bot play at a table that you own or are invited to."),
    "replay": Verb("replay", PLAY, "Step through the hands of a history file.", "hands"),
    "review": Verb("review", PLAY, "Compare hands with what the bot would have done.", "hands"),
    "acpc": Verb("acpc", PLAY, "Play a match at a dealer of the ACPC protocol."),
    "dealer": Verb("dealer", PLAY, "Deal a match between programs that speak the ACPC protocol."),
}
