"""PHH in and out: round trips of random hands, a published hand, and pokerkit's reading of what we write."""

import random
import re
import time
import tomllib
from collections.abc import Iterator
from decimal import Decimal

import pytest
from pokerkit import Automation, HandHistory, Mode

from holdem.errors import HoldemError
from holdem.game import Action, Hand, from_phh, from_phhs, records, to_phh, to_phhs
from holdem.game.phh import told_payoffs, unit_of
from holdem.game.replay import replay
from tests.game.pokerkit_oracle import AUTOMATIONS, Comparison
from tests.game.tables import random_hand, story, table

# Dwan and Ivey, Million Dollar Cash Game 2009: the example of the PHH specification (Kim 2024).
DWAN_IVEY = """
variant = "NT"
ante_trimming_status = true
antes = [500, 500, 500]
blinds_or_straddles = [1000, 2000, 0]
min_bet = 2000
starting_stacks = [1125600, 2000000, 553500]
actions = [
  "d dh p1 Ac2d", "d dh p2 ????", "d dh p3 7h6h",
  "p3 cbr 7000 # Dwan", "p1 cbr 23000", "p2 f", "p3 cc",
  "d db Jc3d5c", "p1 cbr 35000", "p3 cc",
  "d db 4h", "p1 cbr 90000", "p3 cbr 232600", "p1 cbr 1067100", "p3 cc",
  "p1 sm Ac2d", "p3 sm 7h6h",
  "d db Jh",
]
finishing_stacks = [572100, 1997500, 1109500]
"""


def rules(hand: Hand) -> dict[str, object]:
    """What a PHH keeps of a game: not the betting abstraction, and the stacks of this hand."""
    return hand.config.model_dump(exclude={"betting", "stacks"})


@pytest.mark.parametrize("seed", range(200))
def test_round_trip(seed: int) -> None:
    hand = random_hand(random.Random(seed), watched=seed % 2 == 1, until=0.05)
    again = from_phh(to_phh(hand))
    assert again.records[1:] == hand.records[1:]
    assert (again.button, again.starting_stacks) == (hand.button, hand.starting_stacks)
    assert rules(again) == rules(hand)


def test_many_hands_in_one_text() -> None:
    hands = [random_hand(random.Random(seed)) for seed in range(5)]
    again = from_phhs(to_phhs([hands[0].records, *hands[1:]]))
    assert [hand.records[1:] for hand in again] == [hand.records[1:] for hand in hands]


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.filterwarnings("ignore")
def test_pokerkit_reads_what_we_write(seed: int) -> None:
    comparison = Comparison(random.Random(seed))
    comparison.play()
    *_, last = HandHistory.loads(to_phh(comparison.hand))
    assert last.stacks == comparison.state.stacks


def test_a_published_hand() -> None:
    hand = from_phh(DWAN_IVEY)
    assert hand.stacks == [572100, 1997500, 1109500]
    assert hand.hole_cards[1] is None
    assert story(hand)[-1] == "main pot of 1109500: seat 2 1109500"


def divided(text: str, by: int) -> str:
    """A PHH with all its amounts divided, as if it were in another currency."""
    amounts = re.compile(r"(?<=[\[ ])\d+(?=[],\"\n ])")
    return amounts.sub(lambda found: str(Decimal(found[0]) / by if len(found[0]) > 1 else found[0]), text)


@pytest.mark.parametrize("by", [10_000, 20_000, 1_000_000])
def test_amounts_with_decimals_are_read_in_their_smallest_unit(by: int) -> None:
    """Dollars and cents, as most hands from elsewhere have them; the result is pokerkit's."""
    text = divided(DWAN_IVEY, by)
    hand = from_phh(text)
    unit = hand.config.big_blind / Decimal(2_000) * by
    *_, last = HandHistory.loads(text)
    assert unit in (100, 1_000, 10_000)
    assert hand.stacks == pytest.approx([float(stack) * float(unit) for stack in last.stacks], rel=1e-12)
    assert [str(one) for one in from_phh(to_phh(hand)).stacks] == [str(one) for one in hand.stacks]


@pytest.mark.parametrize(("old", "new"), [("7000 ", "7000.0 "), ("1125600,", "1125600.00,"), ("1000,", "1000.0,")])
def test_a_decimal_point_anywhere_means_cents(old: str, new: str) -> None:
    """Also where no amount has any, so that all hands of a file have the same chips."""
    hand = from_phh(DWAN_IVEY.replace(old, new))
    assert hand.config.big_blind == 200_000
    assert hand.stacks == [57_210_000, 199_750_000, 110_950_000]


@pytest.mark.parametrize(("bet", "unit"), [("70", 1), ("70.5", 100), ("70.0", 100), ("70.125", 1_000)])
def test_all_hands_of_a_text_have_the_same_chips(bet: str, unit: int) -> None:
    """One hand with a bet of dollars and cents, and before and behind it the same in dollars."""
    dollars = divided(DWAN_IVEY, 100)
    with_cents = dollars.replace("p3 cbr 70 ", f"p3 cbr {bet} ")
    hands = from_phhs(f"[1]\n{dollars}[2]\n{with_cents}[3]\n{dollars}")
    assert [hand.config.big_blind for hand in hands] == [20 * unit] * 3
    assert [hand.payoffs for hand in hands] == [tuple(unit * won for won in from_phh(dollars).payoffs)] * 3


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("min_bet = 2\nantes = [1, 2]\n", 1),
        ("antes = [\n  1, # each\n  2.25]", 100),
        ("  starting_stacks=[1_000.125]", 1_000),
        ("finishing_stacks = [2.50000]", 100),
        ("actions = ['p1 cbr 1.5']", 100),
        ("min_bet = 0.00001\nantes = [0.5]", 100),  # nothing can be read so fine, and only that hand is refused
        ("venue = 'Table 1.5'\n_rake = 0.125\ntime = 12:30:00.5\n# min_bet = 1.5\nantes = []\n_x = [0.5]", 1),
    ],
)
def test_the_unit_is_that_of_amounts(text: str, unit: int) -> None:
    assert unit_of(text) == unit


SHOWN = re.compile(r"'p\d sm[^']*', |, 'p\d sm[^']*'")


def showdowns() -> Iterator[tuple[Hand, str, list[int]]]:
    """Hands with a showdown, as somebody writes them who saw only cards that were shown; and pokerkit's stacks."""
    for seed in range(120):
        comparison = Comparison(random.Random(seed))
        comparison.play()
        hand = comparison.hand
        if any(isinstance(record, records.CardsShown) for record in hand.records):
            yield hand, re.sub(r"(d dh p\d) \w{4}", r"\1 ????", to_phh(hand)), comparison.state.stacks


def by_position(hand: Hand) -> list[int]:
    return [hand.stacks[hand.seat_at(position)] for position in range(hand.num_seats)]


def without_end(text: str) -> str:
    return re.sub(r"finishing_stacks = .*\n", "", text)


@pytest.mark.filterwarnings("ignore")
def test_cards_are_shown_in_any_order() -> None:
    """Sites list them in orders of their own; pokerkit takes any."""
    rng, count = random.Random(1), 0
    for _, text, stacks in showdowns():
        shown = re.findall(r"'p\d sm[^']*'", text)
        rng.shuffle(shown)
        mixed = iter(shown)
        again = re.sub(r"'p\d sm[^']*'", lambda _: next(mixed), text)  # noqa: B023
        *_, last = HandHistory.loads(again)
        assert by_position(from_phh(again)) == by_position(from_phh(without_end(again))) == last.stacks == stacks
        count += 1
    assert count > 50


def test_who_says_nothing_at_the_showdown_has_mucked_if_the_end_is_told() -> None:
    """Only winners show. Without the end nobody knows, so a seat that should come first is asked for."""
    read = refused = 0
    for hand, text, stacks in showdowns():
        awards = [record for record in hand.records if isinstance(record, records.PotAwarded)]
        winners = {f"p{hand.position(seat) + 1}" for award in awards for seat in award.winners}
        alone = SHOWN.sub(lambda found: found[0] if any(player in found[0] for player in winners) else "", text)  # noqa: B023
        again = from_phh(alone)
        assert again.is_over and by_position(again) == stacks
        read += 1
        try:
            assert from_phh(without_end(alone)).payoffs == hand.payoffs or not from_phh(without_end(alone)).is_over
        except HoldemError as error:
            assert re.search(r"nothing is said of (p\d), whose turn is before; write '\1 sm'", str(error))
            refused += 1
    assert read > 50 and refused > 20


def test_an_end_that_a_silent_seat_has_won_is_refused() -> None:
    """Nobody's cards but the loser's are known: the rules give the pot to those."""
    text = DWAN_IVEY.replace("7h6h", "????").replace('"p3 sm ????",', "")
    with pytest.raises(HoldemError, match=r"finishing_stacks .* are not .* which the rules give"):
        from_phh(text)


RAKED = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [100, 100, 100]
actions = [
  "d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 3", "p1 f", "p2 cc",
  "d db Ks7d2c", "p2 cc", "p3 cbr 6.50", "p2 cc", "d db 5h", "p2 cc", "p3 cc", "d db 9s", "p2 cbr 8", "p3 f",
]
"""
"""p2 wins a pot of 19.50 and takes back 8."""


@pytest.mark.parametrize(
    ("told", "won"),
    [
        ("finishing_stacks = [99.50, 109, 90.50]", (-50, 900, -950)),
        ("finishing_stacks = [99.50, 110, 90.50]", (-50, 1_000, -950)),
        ("winnings = [0, 18.50, 0]", (-50, 900, -950)),
        ("winnings = [0, 26.50, 0]", (-50, 900, -950)),  # some rooms count what is taken back
        ("winnings = [0, 18.505, 0]", (-500, 9_005, -9_500)),
        ("", (-50, 1_000, -950)),
        ("winnings = [18.50, 0, 0]", (-50, 1_000, -950)),  # of another hand: the rules count
        ("winnings = [0, 1, 0]", (-50, 1_000, -950)),
        ("winnings = [0, 18.50]", (-50, 1_000, -950)),
        ("winnings = [0, 'all', 0]", (-50, 1_000, -950)),
        ("winnings = 7", (-50, 1_000, -950)),
    ],
)
def test_what_a_room_takes_out_of_the_pot_is_nobodys(told: str, won: tuple[int, ...]) -> None:
    """The hand has the stacks of the rules, and what was won is told beside it."""
    text = RAKED + told
    hand = from_phh(text)
    assert sum(hand.stacks) == sum(hand.starting_stacks)
    assert told_payoffs(hand, tomllib.loads(text), unit_of(text)) == won


def test_a_room_takes_its_share_from_both_winners_of_a_pot() -> None:
    text = ROYAL.replace('"p3 sm"', '"p3 sm QcQd"') + "finishing_stacks = [990, 990, 990]\n"
    assert told_payoffs(from_phh(text), tomllib.loads(text), 1) == (-10, -10, -10)
    with pytest.raises(HoldemError, match=r"finishing_stacks .* are not"):
        from_phh(text.replace("[990, 990, 990]", "[1000, 1000, 900]"))


SHORT_ANTE = """
variant = "NT"
ante_trimming_status = true
antes = [5, 5, 5]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 3]
actions = [
  "d dh p1 AcKc", "d dh p2 7s2s", "d dh p3 AdKd", "p1 cc", "p2 cc",
  "d db AsKsQh", "p1 cc", "p2 cc", "d db 4h", "p1 cc", "p2 cc", "d db 8h", "p1 cc", "p2 cc",
  "p1 sm AcKc", "p2 sm 7s2s", "p3 sm AdKd",
]
"""


def test_antes_that_are_not_trimmed_are_refused_where_it_matters() -> None:
    """Somebody all-in for less than the ante wins three chips of each, or all of them."""
    whole = SHORT_ANTE.replace("= true", "= false")
    for text, stacks in ((SHORT_ANTE, [106, 93, 4]), (whole, [104, 93, 6])):
        assert list(HandHistory.loads(text))[-1].stacks == stacks
    assert from_phh(SHORT_ANTE).stacks == [106, 93, 4]
    with pytest.raises(HoldemError, match="ante_trimming_status is not true, and a stack of 3 is below the ante of 5"):
        from_phh(whole)
    with pytest.raises(HoldemError, match=r"finishing_stacks \[104, 93, 6\] are not \[106, 93, 4\]"):
        from_phh(whole + "finishing_stacks = [104, 93, 6]\n")
    assert from_phh(whole + "finishing_stacks = [106, 93, 4]\n").stacks == [106, 93, 4]
    assert from_phh(whole.replace("100, 3]", "100, 5]")).stacks[0] > 100


def winners_of(hand: Hand) -> set[str]:
    awards = [record for record in hand.records if isinstance(record, records.PotAwarded)]
    return {f"p{hand.position(seat) + 1}" for award in awards for seat in award.winners}


@pytest.mark.filterwarnings("ignore")
def test_cards_shown_as_question_marks_do_not_win() -> None:
    """As in public files where only winners show; pokerkit kills such a hand."""
    count = 0
    for hand, text, stacks in showdowns():
        winners = winners_of(hand)
        hidden = SHOWN.sub(lambda line: line[0] if line[0].strip(", '")[:2] in winners else _hidden(line[0]), text)  # noqa: B023
        *_, last = HandHistory.loads(hidden)
        assert by_position(from_phh(hidden)) == by_position(from_phh(without_end(hidden))) == last.stacks == stacks
        count += "????'" in hidden.replace("d dh", "")
    assert count > 50


def _hidden(line: str) -> str:
    """`'p1 sm ????'` for `'p1 sm 7h6h'` and `'p1 sm'`."""
    return re.sub(r"(p\d sm)[^']*", r"\1 ????", line)


@pytest.mark.filterwarnings("ignore")
def test_a_dash_shows_the_cards_that_were_dealt() -> None:
    count = 0
    for seed in range(120):
        comparison = Comparison(random.Random(seed))
        comparison.play()
        text, dashes = re.subn(r"(p\d sm) \w{4}", r"\1 -", to_phh(comparison.hand))
        *_, last = HandHistory.loads(text)
        assert by_position(from_phh(text)) == last.stacks == comparison.state.stacks
        count += dashes > 0
    assert count > 50


class FreeFolds(Comparison):
    """A table where some fold although a check is free, which pokerkit allows in cash games."""

    free = False

    def _act(self) -> None:
        if self.hand.can_fold() or self.rng.random() > 0.2:
            super()._act()
            return
        self.state.automations = (*AUTOMATIONS, Automation.RUNOUT_COUNT_SELECTION)  # one board, as everywhere here
        self.state.mode = Mode.CASH_GAME
        self.state.fold()
        self.state.mode = Mode.TOURNAMENT
        self.hand.act(Action.fold(), recorded=True)
        self.free = True


@pytest.mark.filterwarnings("ignore:There is no reason for this player to fold")
def test_a_fold_where_a_check_is_free_is_read() -> None:
    """Nobody may do so at our tables (`test_betting.py`); sites let people and write it down."""
    count = 0
    for seed in range(250):
        comparison = FreeFolds(random.Random(seed))
        comparison.play()
        if comparison.free:
            text = to_phh(comparison.hand)
            *_, last = HandHistory.loads(text)
            assert by_position(from_phh(text)) == last.stacks == comparison.state.stacks
            assert from_phh(text).records[1:] == comparison.hand.records[1:]
            assert replay(comparison.hand.records).records == comparison.hand.records
            count += 1
    assert count > 50


ROYAL = """
variant = "NT"
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = [
  "d dh p1 AcAd", "d dh p2 KcKd", "d dh p3 QcQd", "p3 cc", "p1 cc", "p2 cc",
  "d db AsKsQs", "p1 cc", "p2 cc", "p3 cc", "d db Js", "p1 cc", "p2 cc", "p3 cc", "d db Ts", "p1 cc", "p2 cc", "p3 cc",
  "p1 sm AcAd", "p2 sm KcKd", "p3 sm",
]
"""


def test_a_mucked_hand_that_would_tie_is_not_paid() -> None:
    *_, last = HandHistory.loads(ROYAL)
    assert last.stacks == [1050, 1050, 900]
    with pytest.raises(HoldemError, match="p3 mucks a hand that wins; leave out its hole cards"):
        from_phh(ROYAL)
    assert from_phh(ROYAL.replace("QcQd", "????")).stacks == [1050, 1050, 900]


def test_heads_up_the_first_player_is_the_big_blind() -> None:
    text = to_phh(table((1000, 2000), "r300 f", button=0))
    history = HandHistory.loads(text)
    assert history.blinds_or_straddles == [50, 100]
    assert history.starting_stacks == [2000, 1000]
    assert history.actions[-2:] == ["p2 cbr 300", "p1 f"]
    assert history.seats == [2, 1]


def test_seat_numbers_of_a_larger_table_are_closed_up() -> None:
    hand = from_phh(DWAN_IVEY + "seats = [7, 2, 4]\nseat_count = 8\n")
    assert hand.button == 1
    assert hand.starting_stacks == (2000000, 553500, 1125600)


def test_a_check_that_pokerkit_asks_for_is_skipped() -> None:
    hand = table((2000, 2000, 60), "c f", pairs="3s4s 5h6h AhAd")
    text = to_phh(hand).replace("'p1 f'", "'p1 f', 'p2 cc'")
    assert from_phh(text).records[1:] == hand.records[1:]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('variant = "NT"', "variant = NT", "the PHH text cannot be read: Invalid value"),
        ('variant = "NT"', 'variant = "PO"', "variant 'PO' is not no-limit hold'em"),
        ("starting_stacks", "starting_stakes", "the PHH text cannot be read: .*starting_stacks"),
        ("min_bet = 2000", "min_bet = 1000", "min_bet 1000 is not the big blind 2000"),
        ("[500, 500, 500]", "[0, 500, 0]", r"antes \[0, 500, 0\] are not the same for everybody"),
        ("[1000, 2000, 0]", "[-1000, 2000, 0]", "blinds_or_straddles .* are not a small blind"),
        ("[1000, 2000, 0]", "[1000, 2000, -2000]", "somebody posted a blind to come back, .* cannot be read"),
        ("[1000, 2000, 0]", "[1000.00005, 2000, 0]", "has 1000.00005, which is not a whole number of chips"),
        ("p3 cbr 7000", "p3 cbr 7000.00005", "cbr has 7000.00005, which is not a whole number of chips"),
        ("p3 cbr 7000", "p3 cbr 7e3", "is not a PHH action"),
        ("antes = [500, 500, 500]", "antes = [false, false, false]", "antes has False, which is not a whole number"),
        ("1125600,", "0,", "stacks"),
        ("Ac2d", "AcXd", "'Xd' is not a card"),
        ("7h6h", "7hAc", "Ac appears twice"),
        ("p3 cbr 7000", "p1 cbr 7000", "'p1 cbr 7000' is out of turn: seat 2 is to act"),
        ("p3 cbr 7000", "p3 cbr 2500", "raise to 2500: it is below the minimum"),
        ("p3 cbr 7000", "p9 cbr 7000", "'p9' is not a player; players are p1 to p3"),
        ("p3 cbr 7000", "p3 jumps", "'p3 jumps' is not a PHH action"),
        ("p3 cbr 7000", "p3 cbr " + "9" * 5_000, "is not a PHH action"),
        ("p3 cbr 7000", "p3 cbr ²", "is not a PHH action"),
        ("p3 cbr 7000", "p² cbr 7000", "is not a player"),
        ("[572100,", "[572101,", "finishing_stacks .* are not .* which the rules give"),
        (
            "[572100,",
            "[572099,",
            "finishing_stacks .* are not .* which the rules give",
        ),  # who wins nothing pays no rake
        ("1109500]", "943074]", "finishing_stacks .* are not .* which the rules give"),  # more than 15 % of the pot
        ("p3 sm 7h6h", "p3 sm", "p3 mucks a hand that wins; leave out its hole cards"),
        ("p3 sm 7h6h", "p3 sm ????", "p3 mucks a hand that wins; leave out its hole cards"),
        ("[1125600, 2000000, 553500]", "[1125600]", "the hand has 1 player; hands of two to six can be read"),
        ("[1125600,", "[1, 1, 1, 1, 1, 1, 1125600,", "the hand has 9 players; hands of two to six can be read"),
        ("[500, 500, 500]", "[0, 4, 0]", r"antes \[0, 4, 0\] are .*; only equal antes can be read"),
    ],
)
def test_a_broken_text_is_refused_in_one_sentence(old: str, new: str, message: str) -> None:
    assert old in DWAN_IVEY
    with pytest.raises(HoldemError, match=message) as error:
        from_phh(DWAN_IVEY.replace(old, new))
    assert "\n" not in str(error.value)


def test_what_cannot_be_of_cards_that_nobody_knows() -> None:
    unknown = ROYAL.replace("QcQd", "????")
    with pytest.raises(HoldemError, match="'p3 sm -' shows cards that the hand does not tell; write them in place"):
        from_phh(unknown.replace("p3 sm", "p3 sm -"))
    with pytest.raises(HoldemError, match="p3 mucks a hand that wins; write the cards that were shown"):
        from_phh(re.sub(r"(d dh p\d|p\d sm) \w{4}", r"\1 ????", unknown))


def test_records_that_cannot_be_are_not_written() -> None:
    history = table((1000, 1000), "f").records
    history[-1] = records.PotAwarded(0, 150, (1,), (150,))
    with pytest.raises(HoldemError, match="where the rules give"):
        to_phh(history)


def test_several_hands_need_the_other_reader() -> None:
    with pytest.raises(HoldemError, match="is in sections, one a hand; read it with from_phhs"):
        from_phh(to_phhs([table((1000, 1000), "f")]))


@pytest.mark.parametrize("head", ["variant = 'NT'", "[variant]", "[variant] # x"])
def test_blank_lines_cost_no_time(head: str) -> None:
    """Time that grows with the square of their number would be minutes."""
    start = time.process_time()
    with pytest.raises(HoldemError):
        from_phh(head + "\n" * 200_000)
    assert time.process_time() - start < 20


@pytest.mark.parametrize("seed", range(300))
def test_a_garbled_text_never_ends_in_a_traceback(seed: int) -> None:
    rng = random.Random(seed)
    text = to_phh(random_hand(random.Random(seed % 20)))
    parts = re.findall(r"\w+|\s+|[^\w\s]", text)
    for _ in range(rng.randint(1, 3)):
        parts[rng.randrange(len(parts))] = rng.choice(
            ["", "0", "-1", "inf", "1.5", "true", "[]", "p1", "sm", "7h", "\n"]
        )
    try:
        hand = from_phh("".join(parts))
    except HoldemError as error:
        assert "\n" not in str(error)
    else:
        assert sum(hand.stacks) + hand.pot == sum(hand.starting_stacks)
