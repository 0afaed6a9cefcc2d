"""The bet-size language: what each token means in chips, and what a wrong one says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.abstraction.betting.sizes import BettingSpot, compile_menus, parse_menu, raise_totals
from holdem.errors import ConfigError
from holdem.types import BettingConfig, GameConfig, PositionMenus, StreetMenus
from holdem.util.configs import check_config

# A pot of 1,000 on the flop, 500 from each of two players; 9,500 behind.
OPENING = BettingSpot(
    level=500,
    street_base=500,
    chips_in=500,
    pot_after_call=1000,
    min_raise=100,
    effective_stack=10_000,
    streets_left=3,
)
# The opponent bet 400 into it: 1,400 in the middle, 1,800 after a call.
FACING = replace(OPENING, level=900, pot_after_call=1800, min_raise=400)
# Small blind to act first heads-up, blinds 50/100.
PREFLOP = BettingSpot(
    level=100,
    street_base=0,
    chips_in=50,
    pot_after_call=200,
    min_raise=100,
    effective_stack=10_000,
    streets_left=4,
)


@pytest.mark.parametrize(
    ("spot", "menu", "on_street"),
    [
        (OPENING, "50%", [500]),
        (OPENING, "33.35%", [334]),  # 333.5 rounds up
        (OPENING, "1%", [100]),  # lifted to the big blind
        (OPENING, "250c, 100%", [250, 1000]),
        (OPENING, "2000%", [9500]),
        (OPENING, "a, 50%, 500c", [500, 9500]),
        (OPENING, "2.5x, 50%", [500]),  # nothing to multiply
        # (1 + 2f)^3 = 20: f = 85.72 % of the pot
        (OPENING, "e", [857]),
        (OPENING, "3e", [857]),
        (OPENING, "2e", [1736]),  # (1 + 2f)^2 = 20
        (OPENING, "1e", [9500]),
        (OPENING, "2e150%", [1500]),
        (FACING, "60%", [400 + 1080]),
        (FACING, "2.5x, 3x", [1000, 1200]),
        (FACING, "1.5x", [800]),  # lifted to a full raise
        (PREFLOP, "2.5x", [250]),
        (PREFLOP, "50%, 100%", [200, 300]),
        (PREFLOP, "", []),
        (replace(FACING, effective_stack=1200), "2.5x, a", [700]),  # a raise to 700 is all-in, though short
        (replace(FACING, effective_stack=900), "2.5x, a", []),
    ],
)
def test_sizes_in_chips(spot: BettingSpot, menu: str, on_street: list[int]) -> None:
    totals = raise_totals(parse_menu(menu), spot)
    assert [total - spot.street_base for total in totals] == on_street


def test_a_geometric_bet_called_on_every_street_is_all_in() -> None:
    pot, behind = 1000, 9500
    for streets_left in (3, 2, 1):
        spot = BettingSpot(0, 0, 0, pot, 100, behind, streets_left)
        (bet,) = raise_totals(parse_menu("e"), spot)
        pot, behind = pot + 2 * bet, behind - bet
    assert behind == 0


def test_close_sizes_are_merged_but_the_all_in_stays() -> None:
    menu = parse_menu("50%, 55%, 70%, a")
    assert raise_totals(menu, OPENING, merge_threshold=0.1) == [1000, 1200, 10_000]
    nearly = replace(OPENING, effective_stack=1250)
    assert raise_totals(menu, nearly, merge_threshold=0.1) == [1000, 1250]


def test_a_size_that_takes_most_of_the_stack_is_all_in() -> None:
    spot = replace(OPENING, effective_stack=1500)
    assert raise_totals(parse_menu("50%"), spot, all_in_threshold=0.67) == [1000]
    assert raise_totals(parse_menu("75%"), spot, all_in_threshold=0.67) == [1500]


@given(
    st.lists(st.sampled_from(["1%", "33%", "75%", "400%", "2x", "3x", "130c", "e", "2e", "a"]), max_size=5),
    st.integers(0, 5000),
    st.integers(0, 3000),
    st.integers(1, 9000),
)
def test_sizes_are_ascending_and_legal(tokens: list[str], base: int, bet: int, behind: int) -> None:
    level = base + bet
    spot = BettingSpot(level, base, base, 2 * level + 50, max(100, bet), level + behind, 2)
    totals = raise_totals(parse_menu(",".join(tokens)), spot)
    assert totals == sorted(set(totals))
    least = min(level + spot.min_raise, spot.effective_stack)
    assert all(least <= total <= spot.effective_stack for total in totals)


def game(big_blind: int = 100, **menus: object) -> GameConfig:
    sizes = StreetMenus.model_validate(menus)
    return GameConfig(small_blind=big_blind // 2, big_blind=big_blind, betting=BettingConfig(sizes=sizes))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (game(flop=["50%", "50%, 3y"]), r"'3y' \(sizes.flop, raise 2\) is not understood; write 50%"),
        (game(turn="50%,,a"), r"'' \(sizes.turn, raise 1\) is not understood"),
        (game(river="0%"), r"'0%' \(sizes.river, raise 1\) is too small; write more than 0"),
        (game(preflop="1x"), r"'1x' \(sizes.preflop, raise 1\) is too small; write more than 1x"),
        (game(turn="9" * 400 + "%"), r"9{20} \(sizes.turn, raise 1\) is too large; write a"),
        (game(river="9" * 5_000 + "c"), r"9{20} \(sizes.river, raise 1\) is too large; write a"),
        (game(river="2e" + "9" * 400 + "%"), r"2e9{18} \(sizes.river, raise 1\) is too large; write a"),
        (game(preflop="2.5c"), r"'2.5c' \(sizes.preflop, raise 1\) is not understood"),
        (
            game(flop=["3x, 50%", "3x"]),
            r"'3x' \(sizes.flop, raise 1\) multiplies .*flop: \[\"50%\", \"3x\"\]",
        ),
        (game(flop="3x"), r"'3x' \(sizes.flop, raise 1\) multiplies a bet"),
        (game(preflop="3x", big_blind=0), r"'3x' \(sizes.preflop, raise 1\) multiplies a bet"),
    ],
)
def test_a_bad_size_names_itself_its_place_and_the_way_out(config: GameConfig, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        compile_menus(config)


def test_menus_that_nothing_reads_are_refused() -> None:
    short = GameConfig(board_cards=(0, 3), betting=BettingConfig(sizes=StreetMenus(turn=("50%",))))
    with pytest.raises(ConfigError, match=r"sizes.turn is \['50%'\], but the game has only 2 street"):
        compile_menus(short)
    multiway = GameConfig(num_players=3, betting=BettingConfig(multiway_sizes=StreetMenus(preflop=("3x",))))
    with pytest.raises(ConfigError, match=r"multiway_sizes\.preflop"):
        compile_menus(multiway)
    crowd = GameConfig(num_players=4, betting=BettingConfig(crowd_sizes=StreetMenus(preflop=("3x",))))
    with pytest.raises(ConfigError, match=r"crowd_sizes\.preflop is \['3x'\], but .* leave it out"):
        compile_menus(crowd)
    with pytest.raises(ConfigError, match=r"isolation is '4x', but nobody may limp; leave it out or allow limps"):
        compile_menus(GameConfig(betting=BettingConfig(limps=False, isolation="4x")))


@pytest.mark.parametrize(
    ("betting", "message"),
    [
        ({"limps": ["MP"]}, r"limps is \['MP'\]: write true, false or a list of positions out of SB, BB, UTG"),
        ({"limps": 3}, "limps is 3: write true, false or a list"),
        ({"limps": [["BTN"]]}, "write true, false or a list of positions"),
        ({"limps": [{"a": 1}]}, "write true, false or a list of positions"),
        ({"limps": ["HJ"]}, "betting.limps names HJ, and the positions of this game are SB, BB, CO, BTN; leave it out"),
        ({"opens": {"UTG": "3x"}}, "betting.opens names UTG, and the positions of this game are SB, BB, CO, BTN"),
        ({"opens": {"MP": "3x"}}, "unknown key '.*opens.MP'; known keys: SB"),
        ({"max_flop_players": [4, 1]}, r"max_flop_players is \[4, 1\]: write a number from 2 to 6, or a list"),
        ({"max_flop_players": []}, r"max_flop_players is \[\]: write a number from 2 to 6"),
        ({"max_flop_players": 7}, "max_flop_players is 7: write a number from 2 to 6"),
        ({"invested_may_call": -1}, "invested_may_call is -1"),
        ({"crowd_from": 2}, "crowd_from is 2"),
    ],
)
def test_a_bad_field_names_itself_and_the_way_out(betting: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        check_config(GameConfig, {"num_players": 4, "betting": betting})


def test_opens_and_isolation_name_themselves_in_errors() -> None:
    opens = GameConfig(betting=BettingConfig(opens=PositionMenus(SB="3y")))
    with pytest.raises(ConfigError, match=r"'3y' \(opens.SB\) is not understood"):
        compile_menus(opens)
    with pytest.raises(ConfigError, match=r"'1x' \(isolation\) is too small"):
        compile_menus(GameConfig(betting=BettingConfig(isolation="1x")))


def test_compiled_menus_repeat_the_last_menu_for_later_raises() -> None:
    menus = compile_menus(game(preflop=["2.5x", "3x", "a"], flop="50%, 3e200%"))
    assert menus.kinds.shape == (6, 4, 3, 2)
    assert menus.kinds[0, 0].tolist() == [[2, 0], [2, 0], [5, 0]]
    assert menus.values[0, 0, :, 0].tolist() == [2.5, 3.0, 0.0]
    assert menus.kinds[0, 1].tolist() == [[1, 4]] * 3
    assert menus.values[0, 1].tolist() == [[50.0, 3.0]] * 3
    assert menus.caps[0, 1, 0, 1] == 200.0
    assert not menus.kinds[:, 2:].any()
