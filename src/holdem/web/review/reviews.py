"""Reviews for pages: the bot at every decision of a player, each told as soon as it is found.

A review runs in a thread of its own, a few at once, and ends at the next decision when its page is gone.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from holdem.errors import ConfigError, HoldemError
from holdem.mccfr.run.directory import SNAPSHOTS_NAME
from holdem.policy.file_names import HANDS_NAME
from holdem.policy.models import ShippedModel
from holdem.policy.models.catalogue import PREFIX
from holdem.policy.unpacked_models import short_name
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.open_advisor import open_bot, prepare_bot, trained_game
from holdem.table.advice.review import ReviewedDecision, own_decisions_of, review_decision, seat_to_review, summary
from holdem.table.history.hand_history import StoredHand
from holdem.table.history.hand_texts import HandTexts
from holdem.table.profiles.profiles import translation_words
from holdem.types import SearchConfig
from holdem.util.logs import LOGGER
from holdem.util.words import counted
from holdem.web.play.page_side import decision_message
from holdem.web.play.table_view import Message, Send
from holdem.web.run_folder import RunFolder
from holdem.web.strategy.data import Plain

MOST_REVIEWS = 2
"""At once; each keeps a core busy."""
MOST_HANDS = 1_000
DEALS = 2_000
"""Of an estimate where nothing is solved, as in `holdem review`."""
MIN_ITERATIONS = 300

Folder = Callable[[float], Path]
"""Finds the folder of a policy for stacks of so many big blinds."""


class ReviewRequest(BaseModel):
    """What a page asks for: names of the server's lists, and numbers within bounds."""

    model_config = ConfigDict(strict=True, extra="forbid")

    file: str = Field(max_length=1_000)
    policy: str | None = Field(default=None, max_length=1_000)
    """None: for each hand one that was trained for as many seats."""
    player: str | None = Field(default=None, max_length=200)
    hand: int | None = Field(default=None, ge=1)
    """One hand; else the last ones of the file."""
    last: int = Field(default=100, ge=1, le=MOST_HANDS)
    milliseconds: int = Field(default=500, ge=0, le=5_000)
    """Of search for each decision from the flop on; 0 for the blueprint alone."""


class PageGone(Exception):
    """Nobody listens any more."""


class ReviewPlaces:
    """Counts the reviews that run."""

    def __init__(self) -> None:
        self._free = threading.Semaphore(MOST_REVIEWS)

    def take(self) -> bool:
        """Whether there was a place; it is given back with `free`."""
        return self._free.acquire(blocking=False)

    def free(self) -> None:
        """A review has ended."""
        self._free.release()


def fitting_policies(runs: RunFolder) -> list[Plain]:
    """Policies of hold'em with their number of seats."""
    return [{"name": name, "seats": seats} for name, seats in runs.seats().items()]


def policies_by_seats(runs: RunFolder, name: str | None, file: str = "") -> dict[int, Folder]:
    """The named policy; without a name, for every number of seats the one beside whose hands the file lies, the one
    that is played, or the first run.

    Where that is a shipped model, it is the one whose stacks are nearest. Folders are asked for when a hand needs them,
    since a model may have to be unpacked.
    """
    if name is not None:
        path = runs.policy_folder(name)
        return {trained_game(path).num_players: lambda _: path}
    played, seats, models = runs.played_name, runs.seats(), runs.models()
    fitting: dict[int, list[str]] = {}
    beside = _beside(file)
    for one in sorted(seats, key=lambda one: (one not in beside, one != played, SNAPSHOTS_NAME in one.split("/"))):
        fitting.setdefault(seats[one], []).append(one)
    if not fitting:
        raise ConfigError("there is no policy of hold'em to compare with; train one with: holdem train")
    folder_of = cache(runs.policy_folder)
    return {
        number: partial(_nearest, folder_of, {name: models.get(name) for name in names})
        for number, names in fitting.items()
    }


def _beside(file: str) -> tuple[str, ...]:
    """The names of the policies, a run or a model, in whose folder a file of hands lies."""
    folder, hands, _ = file.rpartition(f"/{HANDS_NAME}/")
    return (folder, f"{PREFIX}/{folder}") if hands else ()


def _nearest(folder_of: Callable[[str], Path], policies: dict[str, ShippedModel | None], stack_blinds: float) -> Path:
    """The first of some policies; where that is a model, the one of the models whose stacks are nearest."""
    first, model = next(iter(policies.items()))
    if model is None:
        return folder_of(first)
    distances = {name: abs(one.stack_blinds - stack_blinds) for name, one in policies.items() if one is not None}
    return folder_of(min(distances, key=distances.__getitem__))


class Review:
    """One review; `run` tells everything through `send` until it is done.

    `gone` says that nobody listens, `stopped` that what was found so far is enough.
    """

    def __init__(
        self,
        request: ReviewRequest,
        texts: HandTexts,
        policies: dict[int, Folder],
        send: Send,
        gone: Callable[[], bool],
        stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """`policies` by their number of seats; a hand with another number is left out."""
        self.request, self.texts, self.policies = request, texts, policies
        self._advisors: dict[Path, Advisor] = {}
        self._send, self._gone, self._stopped = send, gone, stopped
        self._other_seats = self._unreadable = 0
        self._with = ""
        """With which policy the first hand is compared, in words."""

    def run(self) -> None:
        """Messages: `begun`, a `decision` for each, a `progress` after each hand, `summary` at the end."""
        numbers = self._numbers()
        self._send({"type": "begun", "hands": len(numbers), "note": self._note(numbers), "with": self._with})
        reviewed: list[ReviewedDecision] = []
        with ExitStack() as bots:
            for done, number in enumerate(numbers, 1):
                for place, decision in enumerate(self._review_hand(bots, number)):
                    reviewed.append(decision.for_sums())
                    self._send(_message(place, decision))
                if self._gone():
                    return
                if self._stopped():
                    break
                self._send({"type": "progress", "done": done, "hands": len(numbers)})
        ended = {"stopped": self._stopped(), "left_out": self._left_out()}
        self._send({"type": "summary", **summary(reviewed), **ended})

    def _halted(self) -> bool:
        return self._gone() or self._stopped()

    def _advisor(self, bots: ExitStack, stored: StoredHand) -> Advisor | None:
        """The bot for a hand's seats and stacks, opened when the first such hand comes; None if that was stopped."""
        folder = self._folder(stored)
        if folder not in self._advisors:
            search = self._search()
            prepare_bot(folder, search, self._halted)
            if self._halted():
                return None
            bot = open_bot(folder, search, DEALS, advises=True)
            self._advisors[folder] = bots.enter_context(bot)[1]
        return self._advisors[folder]

    def _folder(self, stored: StoredHand) -> Path:
        return self.policies[stored.hand.num_seats](stored.stack_blinds)

    def _numbers(self) -> range:
        count, hand = len(self.texts), self.request.hand
        if hand is not None:
            self.texts.hand(hand)  # refused at once if it is not there or cannot be read
            return range(hand, hand + 1)
        return range(max(1, count - self.request.last + 1), count + 1)

    def _search(self) -> SearchConfig | None:
        if not self.request.milliseconds:
            return None
        return SearchConfig(time_budget_ms=float(self.request.milliseconds), min_iters=MIN_ITERATIONS)

    def _note(self, numbers: range) -> str:
        """How the first hand that can be reviewed differs from the policy's game; refused if none can be."""
        someone = False
        for number in numbers:
            if self._gone():
                raise PageGone
            stored = self._stored(number)
            if stored is None or seat_to_review(stored, self.request.player) is None:
                continue
            someone = True
            if stored.hand.num_seats in self.policies:
                folder = self._folder(stored)
                game, self._with = trained_game(folder), f"compared with {short_name(folder)}"
                return translation_words(stored.hand.config, game, stored.hand.starting_stacks)
        if someone:
            seats = " or ".join(map(str, sorted(self.policies)))
            raise ConfigError(f"no hand has {seats} seats, for which there is a policy; choose another")
        raise ConfigError("the file does not say whose hands they are; choose a player whose cards are known")

    def _stored(self, number: int) -> StoredHand | None:
        try:
            return self.texts.hand(number)
        except HoldemError:
            return None

    def _review_hand(self, bots: ExitStack, number: int) -> Iterator[ReviewedDecision]:
        stored = self._stored(number)
        if stored is None:
            self._unreadable += 1
            return
        if stored.hand.num_seats not in self.policies:
            self._other_seats += 1
            return
        seat = seat_to_review(stored, self.request.player)
        if seat is None:
            return
        advisor = self._advisor(bots, stored)
        if advisor is None:
            return
        try:
            for seen, taken in own_decisions_of(stored, seat):
                if self._halted():
                    return
                yield review_decision(advisor, number, seen, taken)
        except Exception as error:  # files of others can be wrong in any way; only this hand is left out
            LOGGER.warning("hand %d of %s cannot be reviewed", number, self.texts.name, exc_info=error)
            self._unreadable += 1

    def _left_out(self) -> str:
        """A sentence about hands that were not reviewed; empty if there are none."""
        parts = []
        if self._other_seats:
            parts.append(f"{counted(self._other_seats, 'hand')} with a number of seats that no chosen policy has")
        if self._unreadable:
            parts.append(f"{counted(self._unreadable, 'hand')} that cannot be read or reviewed")
        return f"left out: {', '.join(parts)}" if parts else ""


def _message(place: int, decision: ReviewedDecision) -> Message:
    """A decision: its hand, its place among those of the hand, what it lost, and what the bot says."""
    plain = decision.to_plain()
    plain["bot"] = decision_message(decision.recommendation, decision.taken)
    return {"type": "decision", "place": place, **plain}
