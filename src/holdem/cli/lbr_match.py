"""`holdem lbr`: deals that are kept while they are played, and gone on from; a match in one setting."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import typer

from holdem.errors import HoldemError
from holdem.evaluation.response.local.actions import Menus
from holdem.evaluation.response.local.kept_deals import KeptDeals, refuse_kept
from holdem.evaluation.response.local.match import LocalBestResponseResult, OpenAgent, play_matches, summarise
from holdem.policy.fingerprint import Fingerprint
from holdem.types import GameConfig
from holdem.util.progress import ProgressBar


@dataclass(frozen=True)
class PlayedDeals:
    """How the playing went: how fast, and what ended it if an agent failed."""

    hands_per_second: float
    failure: HoldemError | None

    def check(self) -> None:
        """Raise what ended it, if anything did."""
        if self.failure is not None:
            raise self.failure


@dataclass(frozen=True)
class KeptMatch:
    """Who is measured, and how, in one setting or several. `identity`: what the opponent plays by, see
    `agent_identity`.
    """

    opponent: str
    open_opponent: OpenAgent
    identity: Fingerprint
    config: GameConfig
    deals: int
    seed: int
    num_workers: int

    @property
    def fingerprint(self) -> Fingerprint:
        """What the deals of a file must have in common."""
        return {"opponent": self.identity, "game": self.config.model_dump(mode="json"), "seed": self.seed}

    def play_missing(
        self,
        kept: KeptDeals,
        setting: str,
        menus: Menus,
        progress: Callable[[int], None],
        stopped: Callable[[], bool],
    ) -> None:
        """Play the deals of a setting that are not kept yet; when `stopped` turns true, no more."""
        first = len(kept.chips(setting))
        progress(2 * min(first, self.deals))
        if first >= self.deals:
            return
        play_matches(
            self.open_opponent,
            self.config,
            menus,
            self.deals,
            seed=self.seed,
            num_workers=self.num_workers,
            progress=progress,
            stopped=stopped,
            first=first,
            keep=partial(kept.add, setting),
        )

    def result_of(self, kept: KeptDeals, setting: str, menus: Menus) -> LocalBestResponseResult | None:
        """What the deals of a setting say, over as many as were asked for at most; None without any."""
        chips = kept.chips(setting)[: self.deals]
        return summarise(chips, self.opponent, self.config, menus, self.seed) if len(chips) else None


@dataclass(frozen=True)
class OneSettingMatch(KeptMatch):
    """A match in which LBR may do what `menus` says."""

    menus: Menus

    @property
    def setting(self) -> str:
        """LBR's actions as `--actions` takes them."""
        return ",".join(self.menus)

    def kept(self, out: Path | None) -> KeptDeals:
        """The deals so far, in a file beside the one for the figures; without one, in memory."""
        if out is not None:
            refuse_kept(out)
        path = None if out is None else out.with_name(f"{out.stem}.deals.json")
        return KeptDeals(path, {**self.fingerprint, "actions": self.setting}, [self.setting])

    def play(self, kept: KeptDeals, stopped: Callable[[], bool]) -> PlayedDeals:
        """Play what is missing; when `stopped` turns true or an agent fails, no more."""
        first, begun = len(kept.chips(self.setting)), time.monotonic()
        if first:
            typer.echo(f"going on from {2 * first:,} hands in {kept.path}", err=True)
        failure = None
        with ProgressBar("hands", 2 * self.deals) as bar:
            try:
                self.play_missing(kept, self.setting, self.menus, bar, stopped)
            except HoldemError as error:
                failure = error
        hands = 2 * (len(kept.chips(self.setting)) - first)
        return PlayedDeals(hands / max(time.monotonic() - begun, 1e-9), failure)

    def result(self, kept: KeptDeals) -> LocalBestResponseResult | None:
        """What the deals say; None without any."""
        return self.result_of(kept, self.setting, self.menus)

    def to_plain(self, result: LocalBestResponseResult) -> dict[str, Any]:
        """As JSON."""
        return {**result.to_plain(), "complete": result.hands == 2 * self.deals}

    def remove_if_done(self, kept: KeptDeals, figures: dict[str, Any]) -> None:
        """The figures are written: the deals go, unless there are more of them than were asked for."""
        if len(kept.chips(self.setting)) <= self.deals and figures["complete"]:
            kept.remove()

    def keep(self, kept: KeptDeals, figures: dict[str, Any]) -> None:
        """Save the deals, which are worth more than the figures that follow from them."""
        kept.save(figures)
        if kept.path is not None and not figures["complete"]:
            typer.echo(f"the deals so far are in {kept.path}; the same command goes on from there", err=True)
