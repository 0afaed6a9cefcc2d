"""The person's side of a table in a browser: messages out, answers in.

A question (a turn, or what to do after a hand) has a number, and an answer names the question that it is for: what
comes late or twice changes nothing. An answer is the line that somebody would type in `holdem play`.
"""

import json
import queue
import threading
from collections.abc import Sequence
from dataclasses import asdict

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from holdem.blueprint.colours import action_colours
from holdem.game.actions import Action
from holdem.game.agent import Observation
from holdem.table.advice.recommendation import Recommendation, words_of
from holdem.table.person.input import HELP, sizes
from holdem.table.person.person import Advice
from holdem.web.table_view import Message, Send, TableView

NOT_UNDERSTOOD = 'a message is {"question": 3, "line": "c"}, and this one is not; nothing was done'


class Answer(BaseModel):
    """What a page sends."""

    model_config = ConfigDict(strict=True, extra="forbid")

    question: int
    line: str = Field(max_length=40)


class PageSide:
    """A `PersonSide`. `send` and `answer` belong to the server's loop, everything else to the session's thread."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.view = TableView(send)
        self._question = 0
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._gone = threading.Event()

    @property
    def gone(self) -> bool:
        """Whether the person has left."""
        return self._gone.is_set()

    def answer(self, text: str | None) -> None:
        """A message of the page; whatever it is, it is answered at the latest when the table goes on."""
        try:
            answer = Answer.model_validate_json(text or "")
        except ValidationError:
            self.tell(NOT_UNDERSTOOD)
            return
        self._answers.put(answer)

    @property
    def unread(self) -> int:
        """Answers that the table has not looked at yet."""
        return self._answers.qsize()

    def pause(self, seconds: float) -> None:
        """Wait, unless the person has left."""
        self._gone.wait(seconds)

    def leave(self) -> None:
        """The page is gone, or the server ends: the seat is played to the end of the hand without it."""
        self._gone.set()
        self._answers.put(None)

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
        view = self.view
        self._ask({"type": "over", "won": view.won, "total": view.total, "hands": view.hands})

    def tell(self, sentence: str) -> None:
        """One sentence."""
        self._send({"type": "told", "text": sentence})

    def help(self) -> None:
        """The letters."""
        self._send({"type": "help", "text": HELP})

    def advise(self, advice: Sequence[Advice]) -> None:
        """What the bot would do, and what was done."""
        self._send({"type": "advice", "decisions": [_decision(*one) for one in advice]})

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


def _decision(found: Recommendation, taken: Action | None) -> Message:
    plain = found.to_plain()
    words = [option["action"] for option in plain["actions"]]
    colours = action_colours(["call" if word.startswith("call ") else word for word in words])
    options = [{**option, "colour": colour} for option, colour in zip(plain["actions"], colours, strict=True)]
    return {**plain, "actions": options, "taken": None if taken is None else words_of(taken, found.observation)}


def as_text(message: Message) -> str:
    """A message as it travels."""
    return json.dumps(message)
