"""Cards, showdown and pots of whole hands, rule by rule; and one hand told from beginning to end."""

import random
from pathlib import Path

import pytest

from holdem.cards import parse_cards
from holdem.errors import CardError, ConfigError, IllegalAction
from holdem.game import Game, GameConfig, Hand, format_records
from tests.game.tables import play, random_hand, snapshot, story, table

DATA = Path(__file__).parents[1] / "data"


class TestShowdown:
    def test_the_last_aggressor_of_the_last_street_shows_first(self) -> None:
        """TDA rule 17; the caller cannot win and mucks."""
        hand = table((1000, 1000), "c c c c c c c r200 c", pairs="3s4s AhAd")
        assert story(hand)[-3:] == ["seat 1 shows AhAd", "seat 0 mucks", "main pot of 600: seat 1 600"]

    def test_an_aggressor_of_an_earlier_street_does_not_count(self) -> None:
        hand = table((1000, 1000), "r300 c c c c c c c", pairs="3s4s AhAd")
        assert story(hand)[-3:-1] == ["seat 0 shows 3s4s", "seat 1 shows AhAd"]

    def test_without_a_bet_the_first_position_shows_first(self) -> None:
        hand = table((1000, 1000), "c c c c c c c c", pairs="AhAd 3s4s", button=0)
        assert story(hand)[-3:-1] == ["seat 1 shows 3s4s", "seat 0 shows AhAd"]

    def test_a_tie_is_shown(self) -> None:
        hand = table((1000, 1000), "c c c c c c c c", pairs="AhQd AdQh")
        assert story(hand)[-3:] == [
            "seat 0 shows AhQd",
            "seat 1 shows AdQh",
            "main pot of 200: seat 0 100, seat 1 100",
        ]

    def test_losers_show_too_where_asked(self) -> None:
        game = Game(GameConfig())
        hand = game.new_hand(hole_cards=["AhAd", "3s4s"], board="2c7d9hJsKc", show_all=True)
        assert story(play(hand, "c c c c c c c c"))[-2] == "seat 1 shows 3s4s"

    def test_all_in_hands_are_turned_up_before_the_board_is_run_out(self) -> None:
        """TDA rule 16."""
        hand = table((1000, 1000), "r1000 c", pairs="3s4s AhAd")
        assert story(hand) == [
            "seat 1 raises to 1000 all-in",
            "seat 0 calls 900 all-in",
            "seat 1 shows AhAd",
            "seat 0 shows 3s4s",
            "flop 2c7d9h",
            "turn Js",
            "river Kc",
            "main pot of 2000: seat 1 2000",
        ]

    def test_nobody_mucks_when_somebody_is_all_in(self) -> None:
        hand = table((1000, 1000, 200), "r200 c c c c c c c c", pairs="AhAd 3s4s 3h4h")
        assert [line for line in story(hand) if "shows" in line or "mucks" in line] == [
            "seat 0 shows AhAd",
            "seat 1 shows 3s4s",
            "seat 2 shows 3h4h",
        ]

    def test_a_loser_of_the_main_pot_still_shows_for_a_side_pot(self) -> None:
        hand = table((1000, 1000, 200), "r200 c c c c c c c c", pairs="QhQd 3s4s AhAd")
        assert hand.payoffs == (-200, -200, 400)
        hand = table((1000, 1000, 200), "r200 c c r100 c c c c c", pairs="QhQd 3s4s AhAd")
        assert hand.payoffs == (-100, -300, 400)


class TestPots:
    def test_an_uncalled_bet_goes_back(self) -> None:
        hand = table((1000, 400), "c r1000 c", pairs="3s4s AhAd")
        assert "seat 0 takes back 600" in story(hand)
        assert hand.payoffs == (-400, 400)

    def test_each_side_pot_has_its_own_winner(self) -> None:
        hand = table((100, 300, 1000, 1000), "r1000 c c c", pairs="AhAd KhKd QhQd 3s4s", board="2c7d9hTs5c")
        assert story(hand)[-3:] == [
            "main pot of 400: seat 0 400",
            "side pot 1 of 600: seat 1 600",
            "side pot 2 of 1400: seat 2 1400",
        ]

    def test_every_pot_has_its_own_odd_chip(self) -> None:
        """TDA rules 20 and 21: both odd chips go to seat 2, the first winner left of the button."""
        hand = table(
            (1000, 51, 1000, 1000, 1000),
            "r52 c c f c r100 c f c c c c",
            small_blind=1,
            big_blind=2,
            pairs="3h4h 3s4s AhQd AdQh 5h6h",
        )
        assert story(hand)[-2:] == [
            "main pot of 205: seat 2 103, seat 3 102",
            "side pot 1 of 203: seat 2 102, seat 3 101",
        ]

    def test_a_split_pot_gives_the_odd_chip_to_the_first_seat_left_of_the_button(self) -> None:
        hand = table((1000, 1000, 1000), "c f c c c c c c c", ante=25, pairs="2h2d AhQd AdQh", small_blind=50)
        assert story(hand)[-1] == "main pot of 325: seat 1 163, seat 2 162"


class TestCards:
    def test_the_same_seed_deals_the_same_cards_to_the_same_positions(self) -> None:
        game = Game(GameConfig(num_players=4))
        first, second = game.new_hand(7, button=3), game.new_hand(7, button=1)
        for position in range(4):
            assert first.hole_cards[first.seat_at(position)] == second.hole_cards[second.seat_at(position)]

    @pytest.mark.parametrize(
        ("pairs", "board", "message"),
        [
            (["AhAd", "AhKd"], "", "Ah appears twice"),
            (["AhAd", "KdKs"], "Kd2c3c", "Kd appears twice"),
            (["AhAdAs", "KdKs"], "", "seat 0 has 3 hole cards; give two"),
            (["AhAd"], "", "hole cards for 1 seats of 2"),
            (["AhAd", "KdKs"], "2c3c4c5c6c7c", "a board of 6 cards is too long; this game has 5"),
            (["AhAd", "KdXs"], "", "'Xs' is not a card"),
        ],
    )
    def test_impossible_deals_are_refused(self, pairs: list[str], board: str, message: str) -> None:
        with pytest.raises(CardError, match=message):
            Game(GameConfig()).new_hand(1, hole_cards=pairs, board=board)

    def test_short_decks_and_boards(self) -> None:
        game = Game(GameConfig(ranks="TJQKA", board_cards=(0, 3)))
        hand = play(game.new_hand(3), "c c c c")
        assert hand.is_over
        assert len(hand.board) == 3
        with pytest.raises(CardError, match="2c is not in this deck; its ranks are TJQKA"):
            game.new_hand(3, board="2cThJh")

    def test_toy_games_are_played_elsewhere(self) -> None:
        config = GameConfig(name="kuhn", variant="kuhn", board_cards=(0,), ranks="JQK")
        with pytest.raises(ConfigError, match="kuhn is kuhn, not hold'em"):
            Game(config)
        with pytest.raises(ConfigError, match="not hold'em"):
            Hand(config)


class TestWatchedHands:
    """Hands seen from outside: cards come to light during the hand, or never."""

    def hand(self) -> Hand:
        return Game(GameConfig()).new_hand(hole_cards=["AhAd", None])

    def test_the_hand_waits_for_the_board(self) -> None:
        hand = play(self.hand(), "c c")
        assert hand.actor is None
        assert hand.awaited_board_cards == 3
        assert not hand.can_deal_board(parse_cards("2c7d"))
        with pytest.raises(CardError, match="Ah appears twice"):
            hand.deal_board(parse_cards("Ah7d9h"))
        hand.deal_board(parse_cards("2c7d9h"))
        assert hand.actor == 0
        assert hand.awaited_board_cards == 0
        with pytest.raises(IllegalAction, match="does not wait for board cards"):
            hand.deal_board(parse_cards("Js"))

    def at_showdown(self) -> Hand:
        hand = play(self.hand(), "c c")
        for cards in ("2c7d9h", "Js", "Kc"):
            hand.deal_board(parse_cards(cards))
            play(hand, "c c")
        return hand

    def test_unknown_cards_are_shown_or_mucked(self) -> None:
        hand = self.at_showdown()
        assert hand.showdown_seat == 1
        shown, mucked = hand.copy(), hand.copy()
        shown.show(1, parse_cards("KhKd"))
        assert shown.payoffs == (-100, 100)
        mucked.muck(1)
        assert mucked.payoffs == (100, -100)
        assert not hand.is_over

    def test_only_the_awaited_seat_shows(self) -> None:
        hand = self.at_showdown()
        assert not hand.can_muck(0)
        with pytest.raises(IllegalAction, match="seat 0 cannot show or muck now: seat 1 is awaited"):
            hand.show(0, parse_cards("KhKd"))
        assert not hand.can_show(1, parse_cards("AhKd"))

    def test_shown_cards_cannot_come_on_the_board_later(self) -> None:
        hand = Game(GameConfig()).new_hand(hole_cards=["AhAd", None], board="2c7d9hJsKc")
        play(hand, "r10000 c")
        assert hand.showdown_seat == 1
        with pytest.raises(CardError, match="Kc appears twice"):
            hand.show(1, parse_cards("KcKd"))

    def test_the_last_contender_of_a_pot_does_not_muck(self) -> None:
        game = Game(GameConfig(num_players=3))
        pairs = [None, None, "AhAd"]
        hand = game.new_hand(stacks=(1000, 1000, 200), hole_cards=pairs, board="2c7d9hJsKc")
        play(hand, "r200 c c r100 c c c c c")
        hand.muck(0)
        with pytest.raises(IllegalAction, match="seat 1 cannot muck: nobody else can win a pot of 200"):
            hand.muck(1)
        hand.show(1, parse_cards("3s4s"))
        assert hand.payoffs == (-300, -100, 400)

    def test_the_last_one_wins_without_showing(self) -> None:
        hand = Game(GameConfig()).new_hand(hole_cards=[None, None], board="2c7d9hJsKc")
        play(hand, "c c c c c c c c")
        hand.muck(0)
        assert hand.is_over
        assert story(hand)[-2:] == ["seat 0 mucks", "main pot of 200: seat 1 200"]


@pytest.mark.parametrize("seed", range(400))
def test_chips_are_never_made_or_lost(seed: int) -> None:
    hand = random_hand(random.Random(seed), watched=seed % 2 == 1)
    assert sum(hand.payoffs) == 0
    assert min(hand.stacks) >= 0
    assert hand.pot == 0


def test_a_hand_shows_itself_in_a_few_words() -> None:
    hand = table((1000, 1000))
    assert repr(hand) == "<Hand: preflop, pot 150, seat 1 to act>"
    assert repr(play(hand, "c c")) == "<Hand: flop 2c7d9h, pot 200, seat 0 to act>"
    assert repr(play(hand, "r100 f")) == "<Hand: flop 2c7d9h, pot 0, over>"


@pytest.mark.parametrize("seed", range(50))
def test_a_copy_is_the_same_and_independent(seed: int) -> None:
    hand = random_hand(random.Random(seed), until=0.3)
    before = snapshot(hand.copy())
    twin = hand.copy()
    while twin.actor is not None:
        twin.check_or_call()
    assert snapshot(hand) == before


def test_golden_playthrough() -> None:
    """Any change of the rules shows up as a difference in this text."""
    hands = [random_hand(random.Random(seed), watched=seed % 3 == 2) for seed in range(60)]
    text = "\n".join(format_records(hand.records) for hand in hands)
    assert text == (DATA / "playthrough.txt").read_text(encoding="utf-8")
