"""The person's side of a table in a browser: messages out, answers in.

A question (a turn, or what to do after a hand) has a number, and an answer names the question that it is for: what
comes late or twice changes nothing. An answer is the line that somebody would type in `holdem play`.

Pages come and go, the side stays: a page that is loaded again, or was cut off, is shown what the one before showed.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from holdem.blueprint.colours import action_colours
from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.game.records import BoardDealt
from holdem.table.advice.recommendation import Recommendation, words_of
from holdem.table.history.observed_hand import ObservedHand
from holdem.table.person.equity import OwnEquity
from holdem.table.person.input import HELP, sizes
from holdem.table.person.person import Advice
from holdem.web.play.keeper import SessionKeeper
from holdem.web.play.page_link import OVER, SERVER_ENDS, TAKEN_OVER, PageLink
from holdem.web.play.shown import Shown
from holdem.web.play.table_view import Message, TableView, cards_of

NOT_UNDERSTOOD = 'a message is {"question": 3, "line": "c"}, and this one is not; nothing was done'
ON_ANOTHER_PAGE = "this table is open on another page now; come back here to go on with it"


class Answer(BaseModel):
    """What a page sends."""

    model_config = ConfigDict(strict=True, extra="forbid")

    question: int
    line: str = Field(max_length=40)


class PageSide:
    """A `PersonSide`. What pages do comes from the server's loop, everything else from the session's thread."""

    def __init__(self, welcome: Message, keeper: SessionKeeper) -> None:
        self._welcome, self._keeper = welcome, keeper
        self.view = TableView(self._send)
        self._question = 0
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self.waits_too: Callable[[], int] = lambda: 0
        """What was read and is not done yet."""
        self._gone = threading.Event()
        self._lock = threading.Lock()
        """Over what is shown and to whom: a page that comes back misses no message and gets none twice."""
        self._shown = Shown()
        self._link: PageLink | None = None
        self._over = False
        self.lost_at: float | None = None
        """Since when the page is away; None while it is there."""

    @property
    def between_hands(self) -> bool:
        """Whether no hand is going on that would wait for the person."""
        with self._lock:
            return self._shown.between_hands

    @property
    def gone(self) -> bool:
        """Whether the person has left."""
        return self._gone.is_set()

    def attach(self, link: PageLink, resumed: bool = False) -> bool:
        """A page is there, and the one before it is not any more; False if the person has left."""
        with self._lock:
            if self._over or self.gone:
                return False
            if self._link is not None:
                self._link.send({"type": "told", "text": ON_ANOTHER_PAGE})
                self._link.close(TAKEN_OVER)
            self._link, self.lost_at = link, None
            link.send({**self._welcome, "resumed": resumed})
            for message in self._shown.again() if resumed else ():
                link.send(message)
        return True

    def detach(self, link: PageLink) -> bool:
        """A page is away; False if another one has the table."""
        with self._lock:
            if self._link is not link:
                return False
            self._link, self.lost_at = None, time.monotonic()
        return True

    def close(self) -> None:
        """The session is over."""
        with self._lock:
            self._over = True
            if self._link is not None:
                self._link.close(OVER)

    def answer(self, link: PageLink, text: str) -> None:
        """A message of a page; whatever it is, it is answered at the latest when the table goes on."""
        if self._link is not link:
            return
        try:
            answer = Answer.model_validate_json(text)
        except ValidationError:
            self.tell(NOT_UNDERSTOOD)
            return
        self._answers.put(answer)

    @property
    def unread(self) -> int:
        """Answers that the table has not done yet."""
        return self._answers.qsize() + self.waits_too()

    def pause(self, seconds: float) -> None:
        """Wait, unless the person has left."""
        self._gone.wait(seconds)

    def leave(self) -> None:
        """The person leaves: the seat is played to the end of the hand without them."""
        self._gone.set()
        self._answers.put(None)

    def dismiss(self) -> None:
        """The server ends, and the page is told that it was not the table."""
        with self._lock:
            if self._link is not None:
                self._link.close(SERVER_ENDS)
        self.leave()

    def leave_if_lost(self, since: float | None) -> None:
        """The time to come back is over, for a page that is away since then."""
        if since is not None and self.lost_at == since:
            self.leave()

    def turn(self, observation: Observation) -> None:
        """Ask for an action."""
        legal = observation.legal
        self._ask(
            {
                "type": "turn",
                "can_fold": legal.can_fold and legal.call_amount > 0,
                "to_call": legal.call_amount,
                "min_raise_to": legal.min_raise_to,
                "max_raise_to": legal.max_raise_to,
                "sizes": asdict(sizes(observation)),
                "bet_is_raise": any(observation.street_bets),
            }
        )

    def between(self) -> None:
        """Ask whether to go on."""
        view, last = self.view, self._keeper.last
        if last is not None:  # it is None if the server ended and no hand was over before: nobody is there to ask
            kept = {**_kept(*last), "won": view.won}
            self._ask({"type": "over", "won": view.won, "total": view.total, "hands": view.hands, "kept": kept})

    def tell(self, sentence: str) -> None:
        """One sentence."""
        self._send({"type": "told", "text": sentence})

    def help(self) -> None:
        """The letters."""
        self._send({"type": "help", "text": HELP})

    def advise(self, advice: Sequence[Advice]) -> None:
        """What the bot would do, and what was done."""
        self._send({"type": "advice", "decisions": [decision_message(*one) for one in advice]})

    def show_equity(self, found: OwnEquity) -> None:
        """How often the own hand wins."""
        self._send({"type": "equity", "share": round(found.share, 4), "error": round(found.standard_error, 4),
                    "against": found.against})  # fmt: skip

    def acted_for(self, words: str) -> None:
        """Nobody is there to be told."""

    def read(self) -> str | None:
        """The next answer to the question that is open."""
        while not self.gone:
            answer = self._answers.get()
            if answer is not None and answer.question == self._question:
                return answer.line
            if answer is not None:
                self.tell(f"{answer.line!r} was for another question than the open one; nothing was done")
        return None

    def _ask(self, message: Message) -> None:
        self._question += 1
        self._send({**message, "question": self._question})

    def _send(self, message: Message) -> None:
        with self._lock:
            self._shown.follow(message)
            if self._link is not None:
                self._link.send(message)


def decision_message(found: Recommendation, taken: Action | None) -> Message:
    """What the bot would do at one decision, with colours, and what was done."""
    plain = found.to_plain()
    words = [option["action"] for option in plain["actions"]]
    colours = action_colours(["call" if word.startswith("call ") else word for word in words])
    options = [{**option, "colour": colour} for option, colour in zip(plain["actions"], colours, strict=True)]
    return {**plain, "actions": options, "taken": None if taken is None else words_of(taken, found.observation)}


def _kept(hand: ObservedHand, number: int) -> Message:
    """A hand that is over, as the list of hands shows it."""
    board = [card for record in hand.records if isinstance(record, BoardDealt) for card in record.cards]
    return {
        "hand": hand.number + 1,
        "number_in_file": number,
        "cards": cards_of(hand.hole_cards or ()),
        "board": cards_of(tuple(board)),
    }
