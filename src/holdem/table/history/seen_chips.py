"""Where the chips of a hand are after each record: in front of whom, in the middle, in whose stack."""

from holdem.game import records as rec


class SeenChips:
    """Follows records; lists are by seat. `pot` counts all chips in the middle, this street's bets included."""

    def __init__(self, started: rec.HandStarted) -> None:
        self.stacks = list(started.stacks)
        self.street_bets = [0] * len(started.stacks)
        self.pot = 0

    def follow(self, record: rec.Record) -> None:
        """Move the chips of one record."""
        match record:
            case rec.AntePosted(seat=seat, amount=amount):
                self._pay(seat, amount, in_front=False)
            case (
                rec.BlindPosted(seat=seat, amount=amount)
                | rec.StraddlePosted(seat=seat, amount=amount)
                | rec.Call(seat=seat, amount=amount)
            ):
                self._pay(seat, amount)
            case rec.Bet(seat=seat, amount=amount) | rec.Raise(seat=seat, amount=amount):
                self._pay(seat, amount - self.street_bets[seat])
            case rec.UncalledBetReturned(seat=seat, amount=amount):
                self._pay(seat, -amount)
            case rec.BoardDealt() | rec.CardsShown():
                self.street_bets = [0] * len(self.stacks)
            case rec.PotAwarded(amount=amount, winners=winners, shares=shares):
                self.street_bets = [0] * len(self.stacks)
                self.pot -= amount
                for seat, share in zip(winners, shares, strict=True):
                    self.stacks[seat] += share

    def _pay(self, seat: int, amount: int, in_front: bool = True) -> None:
        self.stacks[seat] -= amount
        self.pot += amount
        if in_front:
            self.street_bets[seat] = max(0, self.street_bets[seat] + amount)  # what is taken back may be of an ante
