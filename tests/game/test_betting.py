"""Blinds, turns and raise limits, rule by rule. Seat 0 is left of the button, so seats are positions here."""

import pytest

from holdem.errors import ConfigError, IllegalAction
from holdem.game import Action, Game, GameConfig, LegalActions
from tests.game.tables import play, story, table


class TestForcedBets:
    def test_blinds_sit_left_of_the_button(self) -> None:
        hand = table((1000, 1000, 1000, 1000), button=1)
        assert hand.street_bets == [0, 0, 50, 100]
        assert hand.actor == 0

    def test_heads_up_the_button_posts_the_small_blind_and_begins(self) -> None:
        hand = table((1000, 1000))
        assert hand.street_bets == [100, 50]
        assert hand.actor == 1

    def test_heads_up_the_button_acts_last_after_the_flop(self) -> None:
        hand = table((1000, 1000), "c c")
        assert hand.street == 1
        assert hand.actor == 0

    def test_three_seats_the_button_begins_and_the_small_blind_leads_the_flop(self) -> None:
        hand = table((1000, 1000, 1000))
        assert hand.actor == 2
        assert play(hand, "c c c").actor == 0

    def test_antes_come_first_and_are_not_part_of_the_bet(self) -> None:
        hand = table((1000, 1000, 1000), ante=25)
        assert hand.pot == 3 * 25 + 150
        assert hand.street_bets == [50, 100, 0]
        assert hand.legal_actions().call_amount == 100

    def test_a_short_stack_posts_what_it_has_ante_before_blind(self) -> None:
        hand = table((60, 1000, 20), ante=25)
        assert [str(record) for record in hand.records[1:6]] == [
            "seat 0 posts ante 25",
            "seat 1 posts ante 25",
            "seat 2 posts ante 20 all-in",
            "seat 0 posts blind 35 all-in",
            "seat 1 posts blind 100",
        ]

    def test_the_straddle_acts_last_before_the_flop(self) -> None:
        hand = table((1000, 1000, 1000, 1000), straddle=200)
        assert hand.street_bets == [50, 100, 200, 0]
        assert hand.actor == 3
        assert play(hand, "c c c").actor == 2

    def test_three_seats_the_straddle_is_the_button_and_the_small_blind_begins(self) -> None:
        assert table((1000, 1000, 1000), straddle=200).actor == 0

    def test_a_straddle_is_a_bigger_blind_and_not_a_raise(self) -> None:
        """Robert's Rules, no-limit 2: it sets a new minimum bring-in, so the first raise doubles it."""
        hand = table((1000, 1000, 1000, 1000), straddle=200)
        assert hand.legal_actions().min_raise_to == 400

    def test_after_the_flop_the_minimum_bet_is_the_big_blind_again(self) -> None:
        hand = table((1000, 1000, 1000, 1000), "c c c c", straddle=200)
        assert hand.legal_actions() == LegalActions(False, 0, 100, 800)

    def test_a_stack_below_the_straddle_does_not_straddle(self) -> None:
        hand = table((1000, 1000, 150, 1000), straddle=200)
        assert hand.street_bets == [50, 100, 0, 0]
        assert hand.actor == 2


class TestShortBlinds:
    """A big blind that is all-in for less leaves the price at the full big blind for those who can pay it."""

    def test_the_price_stays_the_big_blind(self) -> None:
        assert table((1000, 60, 1000)).legal_actions() == LegalActions(True, 100, 200, 1000)

    def test_the_rest_of_a_call_is_a_side_pot(self) -> None:
        hand = table((1000, 60, 1000), "c c")
        assert [pot.amount for pot in hand.pots] == [180, 80]

    def test_nobody_pays_more_than_an_opponent_can_match(self) -> None:
        hand = table((1000, 60, 1000), "f")
        assert hand.legal_actions() == LegalActions(True, 10, None, None)

    def test_a_small_blind_that_covers_the_big_blind_has_nothing_to_decide(self) -> None:
        hand = table((1000, 40, 1000), "f")
        assert hand.is_over
        assert story(hand)[1] == "seat 0 takes back 10"

    def test_heads_up_the_big_blind_wins_what_a_short_button_put_in(self) -> None:
        hand = table((1000, 30), pairs="AhAd 3s4s")
        assert hand.payoffs == (30, -30)

    def test_a_blind_that_is_all_in_for_its_ante_can_only_win_antes(self) -> None:
        hand = table((1000, 25, 1000), "c c c c c c c c", ante=25, pairs="3s4s AhAd 5s6h")
        assert hand.payoffs[1] == 50


class TestRaises:
    def test_the_first_raise_is_at_least_a_big_blind_more(self) -> None:
        assert table((1000, 1000, 1000)).legal_actions() == LegalActions(True, 100, 200, 1000)

    def test_a_raise_is_at_least_the_last_one(self) -> None:
        """TDA rule 43."""
        assert table((2000, 2000, 2000), "r350").legal_actions().min_raise_to == 600

    def test_the_largest_raise_of_the_street_counts(self) -> None:
        hand = table((9000, 9000, 9000, 620), "r500 r620")
        assert hand.legal_actions().min_raise_to == 1020

    def test_a_bet_is_at_least_the_big_blind(self) -> None:
        assert table((1000, 1000), "c c").legal_actions() == LegalActions(False, 0, 100, 900)

    def test_the_big_blind_may_raise_when_everybody_calls(self) -> None:
        assert table((1000, 1000, 1000), "c c").legal_actions() == LegalActions(False, 0, 200, 1000)

    def test_a_stack_below_the_minimum_may_only_raise_all_in(self) -> None:
        assert table((1000, 1000, 150)).legal_actions() == LegalActions(True, 100, 150, 150)

    def test_a_stack_below_the_call_may_only_call_all_in(self) -> None:
        hand = table((1000, 1000, 80))
        assert hand.legal_actions() == LegalActions(True, 80, None, None)
        assert str(hand.check_or_call()) == "seat 2 calls 80 all-in"

    def test_nobody_raises_when_no_opponent_has_chips(self) -> None:
        assert table((1000, 300), "r300").legal_actions() == LegalActions(True, 200, None, None)

    def test_a_raise_over_a_short_all_in_adds_a_full_raise_to_it(self) -> None:
        """Robert's Rules, no-limit 4: a bet of 100, all-in for 140, and the next raise is to 240 or more."""
        hand = table((2000, 240, 2000), "c c c r100 r140")
        assert hand.legal_actions() == LegalActions(True, 140, 240, 1900)


class TestReopening:
    """TDA rule 47: who has acted may raise again only when facing a full raise."""

    def test_a_short_all_in_does_not_reopen(self) -> None:
        hand = table((2000, 2000, 450), "c c c r200 c r350")
        assert hand.actor == 0
        assert hand.legal_actions() == LegalActions(True, 150, None, None)

    def test_a_full_all_in_reopens(self) -> None:
        hand = table((2000, 2000, 500), "c c c r200 c r400")
        assert hand.legal_actions() == LegalActions(True, 200, 600, 1900)

    def test_short_all_ins_that_add_up_reopen(self) -> None:
        """The rule's first example: 100, all-in 125, call, all-in 200, call; the first player may raise."""
        hand = table((2000, 225, 2000, 300, 2000), "c c c c c r100 r125 c r200 c")
        assert hand.actor == 0
        assert hand.legal_actions() == LegalActions(True, 100, 300, 1900)

    def test_but_not_for_those_who_called_in_between(self) -> None:
        """The example goes on: whoever called 125 faces 75, less than a full raise."""
        hand = table((2000, 225, 2000, 300, 2000), "c c c c c r100 r125 c r200 c c")
        assert hand.actor == 2
        assert hand.legal_actions() == LegalActions(True, 75, None, None)

    def test_further_short_all_ins_do_not_close_again(self) -> None:
        hand = table((2000, 225, 300, 330, 2000), "c c c c c r100 r125 r200 r230 c")
        assert hand.actor == 0
        assert hand.legal_actions().min_raise_to == 330

    def test_a_short_all_in_over_the_blind_does_not_reopen_for_a_limper(self) -> None:
        hand = table((2000, 150, 2000), "c c r150")
        assert hand.actor == 2
        assert hand.legal_actions() == LegalActions(True, 50, None, None)

    def test_a_short_opening_bet_does_not_reopen_for_those_who_checked(self) -> None:
        hand = table((2000, 160, 2000), "c c c c r60 c")
        assert hand.actor == 0
        assert hand.legal_actions() == LegalActions(True, 60, None, None)

    def test_who_has_not_acted_may_raise_a_short_all_in(self) -> None:
        hand = table((2000, 160, 2000), "c c c c r60")
        assert hand.actor == 2
        assert hand.legal_actions() == LegalActions(True, 60, 160, 1900)

    def test_any_all_in_reopens_where_the_game_says_so(self) -> None:
        hand = table((2000, 2000, 450), "c c c r200 c r350", all_in_reopens=True)
        assert hand.legal_actions() == LegalActions(True, 150, 550, 1900)


class TestTurns:
    def test_all_in_players_do_not_act(self) -> None:
        hand = table((2000, 2000, 200), "r200 c c")
        assert hand.street == 1
        assert play(hand, "c").actor == 1
        assert play(hand, "c").street == 2

    def test_no_betting_when_only_one_player_has_chips(self) -> None:
        assert table((2000, 500), "r500 c").is_over

    def test_the_blind_has_no_decision_against_all_in_for_less(self) -> None:
        hand = table((2000, 2000, 60), "c f")
        assert hand.is_over
        assert "seat 1 takes back 40" in story(hand)

    def test_the_last_player_standing_wins_without_a_showdown(self) -> None:
        hand = table((1000, 1000, 1000), "r300 f f")
        assert story(hand)[-2:] == ["seat 2 takes back 200", "main pot of 250: seat 2 250"]
        assert hand.payoffs == (-50, -100, 150)


class TestVerbs:
    def test_folding_for_free_is_refused(self) -> None:
        hand = table((1000, 1000), "c")
        assert not hand.can_fold()
        with pytest.raises(IllegalAction, match="seat 0 cannot fold when there is nothing to call; check instead"):
            hand.fold()

    @pytest.mark.parametrize(
        ("amount", "reason"),
        [(150, "below the minimum"), (1001, "more than the stack"), (-5, "below the minimum")],
    )
    def test_amounts_out_of_range_name_the_range(self, amount: int, reason: str) -> None:
        hand = table((1000, 1000))
        assert not hand.can_bet_or_raise_to(amount)
        with pytest.raises(IllegalAction, match=rf"raise to {amount}: it is {reason}; legal: .* raise to 200\.\.1000"):
            hand.bet_or_raise_to(amount)

    def test_amounts_are_whole_chips(self) -> None:
        with pytest.raises(IllegalAction, match=r"raise to 250.5 is not a whole number of chips"):
            table((1000, 1000)).bet_or_raise_to(250.5)  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("stacks", "actions", "reason"),
        [
            ((1000, 300), "r300", "no opponent has chips left"),
            ((1000, 1000, 80), "", "the stack only covers a call"),
            (
                (2000, 2000, 450),
                "c c c r200 c r350",
                "it has acted and the all-in since was less than a full raise",
            ),
        ],
    )
    def test_a_refused_raise_says_why(self, stacks: tuple[int, ...], actions: str, reason: str) -> None:
        hand = table(stacks, actions)
        with pytest.raises(IllegalAction, match=reason):
            hand.bet_or_raise_to(900)

    def test_nothing_is_possible_after_the_end(self) -> None:
        hand = table((1000, 1000), "f")
        assert not hand.can_check_or_call()
        assert not hand.can_fold()
        assert not hand.can_bet_or_raise_to(200)
        with pytest.raises(IllegalAction, match="nobody is to act"):
            hand.check_or_call()

    def test_a_refused_action_changes_nothing(self) -> None:
        hand = table((1000, 1000))
        before = (hand.records.copy(), hand.stacks.copy(), hand.actor)
        assert not hand.can_bet_or_raise_to(5000)
        assert (hand.records, hand.stacks, hand.actor) == before

    def test_act_does_what_the_verbs_do(self) -> None:
        hand = table((1000, 1000))
        assert str(hand.act(Action.raise_to(300))) == "seat 1 raises to 300"
        assert str(hand.act(Action.check_or_call())) == "seat 0 calls 200"
        assert str(hand.act(Action.raise_to(100))) == "seat 0 bets 100"
        assert str(hand.act(Action.fold())) == "seat 1 folds"


class TestTables:
    @pytest.mark.parametrize("stacks", [(1000, 0), (1000, -5), (1000, 2.5), (1000, True)])
    def test_stacks_are_positive_whole_chips(self, stacks: tuple[int, ...]) -> None:
        with pytest.raises(ConfigError, match=r"the stack of seat 1 is .* must be a whole number of chips above 0"):
            Game(GameConfig()).new_hand(1, stacks=stacks)

    def test_one_stack_per_seat(self) -> None:
        with pytest.raises(ConfigError, match="3 stacks for 2 seats"):
            Game(GameConfig()).new_hand(1, stacks=(1, 2, 3))

    def test_the_button_is_a_seat(self) -> None:
        with pytest.raises(ConfigError, match="button 2 is not a seat; seats are 0 to 1"):
            Game(GameConfig()).new_hand(1, button=2)

    def test_stacks_of_a_game_belong_to_positions(self) -> None:
        game = Game(GameConfig(num_players=3, stacks=(100, 200, 300)))
        assert game.new_hand(1, button=0).starting_stacks == (300, 100, 200)
