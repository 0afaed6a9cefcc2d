"""What a page shows, as the messages that made it: a page that comes back gets them again."""

from holdem.web.play.table_view import Message

MOST_HANDS = 1_000
"""Hands of a session that are listed; older ones are in the file."""
MOST_TOLD = 10
"""Sentences that a page is told again."""


class Shown:
    """Follows the messages of a session; keeps those of the present hand, and a line for each hand before."""

    def __init__(self) -> None:
        self._told: list[Message] = []
        """Sentences of the wait for the first deal."""
        self._hand: list[Message] = []
        self._asides: dict[str, Message] = {}
        """What the page shows beside the table."""
        self._question: Message | None = None
        self._hands: list[Message] = []
        self._total = self._played = 0

    def follow(self, message: Message) -> None:
        """A message goes to the page, or would if one were there."""
        match message["type"]:
            case "table":
                if message["event"] == "deal":
                    self._told, self._hand, self._asides = [], [], {}
                self._hand.append({**message, "again": True})
                self._asides.pop("equity", None)
                self._question = None
            case "turn" | "over":
                self._question = message
                self._asides.pop("advice", None)  # of the question before
                if message["type"] == "over":
                    self._hands = [*self._hands, message["kept"]][-MOST_HANDS:]
                    self._total, self._played = message["total"], message["hands"]
            case "told":
                if not self._hand:
                    self._told = [*self._told, message][-MOST_TOLD:]
            case "advice" | "equity":
                self._asides[message["type"]] = message

    @property
    def between_hands(self) -> bool:
        """Whether the page is asked to go on with the next hand."""
        return self._question is not None and self._question["type"] == "over"

    def again(self) -> list[Message]:
        """All that a page must be told to show the same, in order."""
        question = [] if self._question is None else [{**self._question, "again": True}]
        hands = {"type": "hands", "hands": self._hands, "total": self._total, "played": self._played}
        return [hands, *self._told, *self._hand, *self._asides.values(), *question]
