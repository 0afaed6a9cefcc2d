"""The facts of a report: the game, the buckets, the fingerprint; and what cannot be proved."""

from collections.abc import Mapping
from typing import Any

from holdem.evaluation.compare import exact_evaluator
from holdem.evaluation.report import page as html
from holdem.policy.fingerprint import fingerprint_hash
from holdem.policy.policy import AveragePolicy
from holdem.policy.unpacked_models import run_name
from holdem.types import STREET_NAMES, GameConfig


def limits_section(policy: AveragePolicy | None, results: Mapping[str, Any]) -> str:
    """How much these figures prove."""
    num_players = None if policy is None else policy.config.num_players
    sentences = []
    if results.get("opponents"):
        sentences.append(
            "A win rate holds against that opponent only: beating every baseline does not bound what a better player "
            "could win. Intervals are for chance in the cards, at 95 %; one in twenty misses the truth."
        )
    if policy is not None and num_players == 2:
        known = (
            "Here it is exact: no opponent of any kind can win more, on average over both positions."
            if exact_evaluator(policy) is not None
            else "Local best response finds a part of it: the true figure is at least that large, maybe much larger."
        )
        sentences.append(
            "With two players an equilibrium cannot lose in the long run, and the distance of a strategy from it, "
            f"exploitability, is what counts. {known}"
        )
    if num_players is not None and num_players > 2:
        sentences.append(
            f"With {num_players} players nothing of the kind can be proved: an equilibrium, even if training came "
            "close to one, promises nothing against opponents who do not play the same one, and there is no known way "
            "to measure how far off a strategy of this size is. What is left are matches against named opponents, and "
            "those are all that this page reports."
        )
    return html.section("What these figures prove, and what not", *map(html.paragraph, sentences)) if sentences else ""


def facts_section(policy: AveragePolicy) -> str:
    """The game, the buckets, the settings of training, and the hashes that name them."""
    config, info = policy.config, policy.info
    rows = [["game", config.name], *_game_rows(config)]
    counts = policy.tree.counts
    infosets = counts.rows(info.buckets_per_street)
    rows.append(["betting tree", f"{counts.decision_nodes:,} decision nodes, {infosets:,} infosets"])
    buckets = " / ".join(f"{count:,}" for count in info.buckets_per_street)
    rows.append(["card buckets by street", buckets + (", every hand its own" if info.bucketing is None else "")])
    if info.bucketing is not None:
        rows.append(["bucket content hash", html.code(info.bucketing.content_hash[:16])])
    training = info.fingerprint.get("training", {})
    if isinstance(training, dict) and training:
        rows.append(["training", ", ".join(f"{key} {value}" for key, value in training.items())])
    rows.append(["fingerprint", html.code(fingerprint_hash(info.fingerprint))])
    if policy.path is not None:
        rows.append(["policy", html.code(run_name(policy.path))])
    return html.section("What was measured", html.facts(rows))


def _game_rows(config: GameConfig) -> list[list[str]]:
    stacks = config.starting_stacks
    unit = config.big_blind or 1
    blinds = "bb" if config.big_blind else " chips"
    in_words = [f"{stack / unit:g}{blinds}" for stack in stacks]
    rows = [["players", str(config.num_players)]]
    rows.append(["stacks", in_words[0] + " each" if len(set(in_words)) == 1 else ", ".join(in_words)])
    posted = [f"{config.small_blind}/{config.big_blind}"] if config.big_blind else []
    posted += [f"ante {config.ante}"] if config.ante else []
    posted += [f"straddle {config.straddle}"] if config.straddle else []
    rows.append(["blinds and antes, chips", ", ".join(posted) or "none"])
    for street in range(config.num_streets):
        menus = [menu or "no bets" for menu in config.betting.sizes.street(street)]
        rows.append([f"bet sizes, {STREET_NAMES[street]}", "; then ".join(menus)])
    return rows
