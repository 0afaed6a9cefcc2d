"""ACPC states and rules against the published protocol, published logs and the competition's own `game.c`.

OpenSpiel's universal_poker plays with that `game.c`, so legal raises, order of play, state strings and values have an
oracle. The published log lines are from the specifications of the Ruby library `acpc_poker_types`, those of the deal
from the log converter in `ivan-alles/poker-acpc`.
"""

import random

import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.cards.cards import format_cards, parse_cards
from holdem.errors import ConfigError, IllegalAction
from holdem.game.actions import Action
from holdem.table.acpc.conversion import acpc_action, hand_of
from holdem.table.acpc.deal import MatchDeck
from holdem.table.acpc.game_definition import (
    STANDARD_GAMES,
    GameDefinition,
    definition_of,
    load_definition,
    parse_definition,
    standard_game,
)
from holdem.table.acpc.protocol import (
    MatchState,
    StateError,
    format_state_cards,
    parse_action,
    parse_betting,
    parse_state,
    visible_state,
)
from holdem.table.acpc.rules import CALL, FOLD, AcpcAction, AcpcBetting, hand_values
from holdem.table.acpc.seat_view import SeatView, Turn
from holdem.types import GameConfig

HEADS_UP = standard_game(2)

# From the protocol's document, version 2.0.0: what the server says, and what the client answers where it has to.
EXAMPLES = [
    ("MATCHSTATE:0:30::9s8h|", None),
    ("MATCHSTATE:0:30:c:9s8h|", "c"),
    ("MATCHSTATE:0:30:cc/:9s8h|/8c8d5c", "r250"),
    ("MATCHSTATE:0:30:cc/r250:9s8h|/8c8d5c", None),
    ("MATCHSTATE:0:30:cc/r250c/:9s8h|/8c8d5c/6s", "r500"),
    ("MATCHSTATE:0:30:cc/r250c/r500:9s8h|/8c8d5c/6s", None),
    ("MATCHSTATE:0:30:cc/r250c/r500c/:9s8h|/8c8d5c/6s/2d", "r1250"),
    ("MATCHSTATE:0:30:cc/r250c/r500c/r1250:9s8h|/8c8d5c/6s/2d", None),
    ("MATCHSTATE:0:30:cc/r250c/r500c/r1250c:9s8h|9c6h/8c8d5c/6s/2d", None),
    ("MATCHSTATE:1:31::|JdTc", "r300"),
    ("MATCHSTATE:1:31:r300:|JdTc", None),
    ("MATCHSTATE:1:31:r300r900:|JdTc", "c"),
    ("MATCHSTATE:1:31:r300r900c/:|JdTc/6dJc9c", None),
    ("MATCHSTATE:1:31:r300r900c/r1800:|JdTc/6dJc9c", "r3600"),
    ("MATCHSTATE:1:31:r300r900c/r1800r3600:|JdTc/6dJc9c", None),
    ("MATCHSTATE:1:31:r300r900c/r1800r3600r9000:|JdTc/6dJc9c", "c"),
    ("MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/:|JdTc/6dJc9c/Kh", None),
    ("MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/r20000:|JdTc/6dJc9c/Kh", "c"),
    ("MATCHSTATE:1:31:r300r900c/r1800r3600r9000c/r20000c/:KsJs|JdTc/6dJc9c/Kh/Qc", None),
]

LOG = """\
STATE:0:r5924c/r17356c/cc/r19718c:3s5d|Td2s/4d5c4s/Kd/2c:19718|-19718
STATE:1:cc/r7485r16652c/r17998r19429r20000c/:7d5s|Kh9c/As3hTs/Jh/Js:-20000|20000
STATE:2:r18810c/r19264r19774c/cr19995r20000c/:Kh6h|As2h/Qd2c2d/7d/3d:-20000|20000
STATE:3:cr281c/r18446r20000c//:8c7d|QcKc/Ac6hTd/9h/3d:20000|-20000
STATE:4:r13583r20000f:6s9d|4dQd:13583|-13583
STATE:5:cc/r15416f:6c2d|9cKs/4dKc7d:100|-100
STATE:6:r15542r20000c///:9h7h|3d8s/JcAc5c/Ah/Ks:20000|-20000
STATE:7:r1147c/cc/cr5404f:5s9c|8dJh/TdQc9d/Jd:-1147|1147
STATE:8:cc/r5841r19996r20000c//:Kc6h|Qc3s/QhAh8d/Th/9d:-20000|20000
STATE:9:f:Jc8d|TdQd:50|-50
STATE:0:ccc/ccc/r4881cr14955cr20000cc/:Kd2d|6c2s|8hTh/2c4h9s/Ad/As:40000|-20000|-20000
STATE:1:ccc/cr7400r17645r20000cc//:Td7s|4c5s|Qc4s/5dAd7c/6c/2c:40000|-20000|-20000
STATE:2:r7187r19832cc/cr19953fc/cr20000c/:Jh9d|8hAh|As6c/3dKc3c/2d/Kh:-20000|39832|-19832
STATE:3:r3610cr8213r19531r20000cc///:Qd2h|5c4d|6s2d/As8s6d/7d/2c:-20000|40000|-20000
STATE:4:fcc/r1348c/r8244r18929r20000c/:8d4c|6sQd|Ts2s/2d9hTh/8c/5h:20000|-20000|0
STATE:5:r15492cc/ccr17275cc/r19597cc/r19947cf:7cKh|3s2h|Js4h/KcQc2s/5h/4s:39544|-19947|-19597
STATE:6:r10322fc/r10577r18645r20000c//:QhQd|3cQc|2cTh/Jc8hTs/9c/3s:-50|20050|-20000
STATE:7:ccr8533r17298r20000cc///:Qd2s|KdTs|6dQh/6h6sTc/3h/Jd:-20000|-20000|40000
STATE:8:cr18231r20000cc///:6hKc|6cAd|6d2c/QdTd9h/7h/Jc:40000|-20000|-20000
STATE:9:ccr12926r20000cc///:QsAs|3s8h|Qd3c/4d6d2d/5d/2c:-20000|-20000|40000
""".splitlines()

SEED_ZERO_DEALS = ["5d5c|9hQd/8dAs8s/4h/6d", "6sKs|5dJd/2sTh2h", "Ah8s|2h4c", "4s8s|6hJd/QhJs9d/Qc", "5s4c|Kc7d/KsAsJd"]
SEED_ZERO_DEALS += ["KhTh|8s7d/9c8d5c/Qd/Td", "Kc8h|5cAs/9dAh4d/7h"]


@pytest.mark.parametrize(("line", "answer"), EXAMPLES)
def test_published_states(line: str, answer: str | None) -> None:
    state = parse_state(line, HEADS_UP)
    assert state.text() == line
    assert state.is_turn == (answer is not None)
    hand = hand_of(state, HEADS_UP.config())
    if answer is not None:
        action = parse_action(answer)
        assert action is not None
        state.betting.verify(action)
        assert hand.hole_cards[0] == state.hole_cards[state.position]
    assert hand.is_over == state.betting.finished


@pytest.mark.parametrize("line", LOG)
def test_published_logs(line: str) -> None:
    """Betting, cards and chips of hands that the C dealer logged, by the dealer's rules and by ours."""
    _, _, betting_text, cards, values = line.split(":")
    hole_text, *board_texts = cards.split("/")
    hole_cards = tuple(parse_cards(part) for part in hole_text.split("|"))
    board = parse_cards("".join(board_texts))
    game = standard_game(len(hole_cards))
    betting = parse_betting(betting_text, game)
    assert betting.finished
    assert betting.betting() == betting_text
    assert format_state_cards(betting, hole_cards, board) == cards
    told = [float(value) for value in values.split("|")]
    assert hand_values(betting, hole_cards, board) == told
    for position in range(game.num_players):
        state = visible_state(position, 0, betting, hole_cards, board)
        assert parse_state(state.text(), game).text() == state.text()
        hand = hand_of(state, game.config())
        assert [hand.payoffs[hand.seat_at(player)] for player in range(game.num_players)] == told


def test_the_cards_of_the_c_dealer() -> None:
    """The first hands that it deals with seed 0, as far as its log showed them."""
    deck = MatchDeck(HEADS_UP, 0)
    for told in SEED_ZERO_DEALS:
        hole_cards, board = deck.deal()
        streets = (format_cards(board[:3]), format_cards(board[3:4]), format_cards(board[4:]))
        assert "/".join(("|".join(map(format_cards, hole_cards)), *streets)).startswith(told)


def spiel_game(game: GameDefinition) -> pyspiel.Game:
    lists = {
        "blind": game.blinds, "stack": game.stacks, "numBoardCards": game.board_cards,
        "firstPlayer": [player + 1 for player in game.first_player],
    }  # fmt: skip
    words = ",".join(f"{name}={' '.join(map(str, values))}" for name, values in lists.items())
    return pyspiel.load_game(
        f"universal_poker(betting=nolimit,numPlayers={game.num_players},numRounds=4,{words},numSuits=4,numRanks=13,"
        "numHoleCards=2,bettingAbstraction=fullgame)"
    )


def random_game(rng: random.Random, equal: bool) -> GameDefinition:
    seats = rng.randint(2, 6)
    stack = rng.randint(5, 60)
    stacks = (stack,) if equal else tuple(rng.randint(5, 60) for _ in range(seats))
    return definition_of(GameConfig(num_players=seats, stacks=stacks, small_blind=1, big_blind=2))


def draw_action(rng: random.Random, betting: AcpcBetting) -> AcpcAction:
    limits = betting.raise_limits()
    draw = rng.random()
    if limits and draw < 0.45:
        return AcpcAction("r", rng.choice([limits[0], limits[1], rng.randint(*limits)]))
    return FOLD if betting.can_fold() and draw > 0.8 else CALL


def full_raise_to(betting: AcpcBetting) -> int:
    """The least raise of a card room: the bet and once more the largest raise of the round."""
    before, largest = AcpcBetting(betting.game), betting.game.big_blind
    for done in betting.actions:
        if done is betting.actions[betting.round]:
            largest = betting.game.big_blind
        for action in done:
            if action.letter == "r":
                largest = max(largest, action.size - before.max_spent)
            before.apply(action)
    return betting.max_spent + largest


@pytest.mark.parametrize("equal_stacks", [True, False])
def test_rules_are_those_of_the_c_dealer(equal_stacks: bool) -> None:
    """Every decision of random hands: who is to act, which actions are legal, the state's text, the values."""
    rng = random.Random(9)
    below_a_full_raise = 0
    for _ in range(80):
        game = random_game(rng, equal_stacks)
        state = spiel_game(game).new_initial_state()
        betting = AcpcBetting(game)
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
                continue
            assert not betting.finished
            assert state.current_player() == betting.current_player
            legal = state.legal_actions()
            limits = betting.raise_limits()
            assert (0 in legal) == betting.can_fold()
            assert [size for size in legal if size > 1] == (list(range(limits[0], limits[1] + 1)) if limits else [])
            below_a_full_raise += bool(limits and limits[0] < limits[1] and limits[0] < full_raise_to(betting))
            action = draw_action(rng, betting)
            state.apply_action({"f": 0, "c": 1}.get(action.letter, action.size))
            betting.apply(action)
        assert betting.finished
        line = next(part for part in str(state).splitlines() if part.startswith("ACPC State: STATE"))
        _, _, betting_text, cards = line.removeprefix("ACPC State: ").split(":")
        assert betting.betting() == betting_text
        hole_text, *board_texts = cards.split("/")
        hole_cards = tuple(parse_cards(part) for part in hole_text.split("|"))
        board = parse_cards("".join(board_texts))
        assert hand_values(betting, hole_cards, board) == pytest.approx(state.returns(), abs=1e-9)
    assert (below_a_full_raise > 0) == (not equal_stacks)


def test_our_rules_agree_where_stacks_are_equal_or_two_play() -> None:
    """The same legal actions at every decision, so that every state of such a match is a hand of ours."""
    rng = random.Random(4)
    decisions = 0
    for number in range(120):
        game = random_game(rng, equal=number % 3 > 0)
        if number % 3 == 0:
            stacks = (rng.randint(5, 60), rng.randint(5, 60))
            game = definition_of(GameConfig(stacks=stacks, small_blind=1, big_blind=2))
        hole_cards, board = MatchDeck(game, number).deal()
        betting = AcpcBetting(game)
        while not betting.finished:
            position = betting.current_player
            state = visible_state(position, number, betting, hole_cards, board)
            hand = hand_of(state, game.config(), seat=number % game.num_players)
            legal, limits = hand.legal_actions(), betting.raise_limits()
            earlier = hand.contributions[hand.actor or 0] - hand.street_bets[hand.actor or 0]
            least, most = legal.min_raise_to, legal.max_raise_to
            ours = None if least is None or most is None else (least + earlier, most + earlier)
            assert ours == limits
            assert legal.can_fold == betting.can_fold()
            action = draw_action(rng, betting)
            betting.apply(action)
            decisions += 1
        values = hand_values(betting, hole_cards, board)
        assert abs(sum(values)) < 1e-9
    assert decisions > 600


def test_the_least_raise_after_a_short_all_in() -> None:
    """game.c: 100 → 300, all-in 400, and the next raise may be to 500; a card room asks for 600."""
    game = definition_of(GameConfig(num_players=3, stacks=(400, 900, 900)))
    betting = parse_betting("r300r400", game)
    assert betting.raise_limits() == (500, 900)
    hand = hand_of(parse_state("MATCHSTATE:1:0:r300r400:|AhKh|", game), game.config())
    assert hand.legal_actions().min_raise_to == 600
    parse_state("MATCHSTATE:0:0:r300r400r500:AhKh||", game)
    view = SeatView(game)
    event = view.read("MATCHSTATE:2:0:r300r400r500:||AhKh")
    assert view.unreadable == 1
    assert getattr(event, "answer", None) == FOLD
    view.read("MATCHSTATE:2:0:r300r400r500f///:2h2d|3h3d|AhKh/4c5c9d/Ts/Jc")
    assert (view.hands, view.chips, view.in_hand) == (1, -300.0, False)


def test_no_raise_beyond_64_actions_in_a_round() -> None:
    game = standard_game(2)
    text = "".join(f"r{size}" for size in range(200, 200 + 100 * 63, 100))
    assert parse_betting(text[: -len("r6400")], game).raise_limits() is not None
    betting = parse_betting(text, game)
    assert betting.num_actions == 63
    assert betting.raise_limits() is None
    assert betting.corrected(AcpcAction("r", 9000)) == CALL


def test_an_illegal_action_becomes_what_the_dealer_makes_of_it() -> None:
    betting = AcpcBetting(HEADS_UP)
    assert betting.corrected(AcpcAction("r", 150)) == AcpcAction("r", 200)
    assert betting.corrected(AcpcAction("r", 99_999)) == AcpcAction("r", 20_000)
    assert betting.corrected(FOLD) == FOLD
    betting.apply(CALL)
    assert betting.corrected(FOLD) == CALL
    with pytest.raises(IllegalAction, match="legal: c, raises r200 to r20000"):
        betting.apply(FOLD)
    all_in = parse_betting("r20000", HEADS_UP)
    assert all_in.corrected(AcpcAction("r", 20_000)) == CALL


@st.composite
def states(draw: st.DrawFn) -> tuple[GameDefinition, MatchState]:
    rng = random.Random(draw(st.integers(0, 2**32)))
    game = random_game(rng, draw(st.booleans()))
    hole_cards, board = MatchDeck(game, rng.randrange(2**32)).deal()
    betting = AcpcBetting(game)
    for _ in range(draw(st.integers(0, 25))):
        if betting.finished:
            break
        betting.apply(draw_action(rng, betting))
    position = draw(st.integers(0, game.num_players - 1))
    return game, visible_state(position, draw(st.integers(0, 2**32 - 1)), betting, hole_cards, board)


@given(states())
def test_a_state_is_the_same_after_writing_and_reading(case: tuple[GameDefinition, MatchState]) -> None:
    game, state = case
    again = parse_state(state.text(), game)
    assert again.text() == state.text()
    assert (again.position, again.hand_number, again.hole_cards, again.board) == (
        state.position, state.hand_number, state.hole_cards, state.board
    )  # fmt: skip
    assert again.betting.spent == state.betting.spent
    assert again.betting.raise_limits() == state.betting.raise_limits() or again.betting.finished


@given(st.integers(0, len(EXAMPLES) - 1), st.data())
def test_no_damage_to_a_line_is_more_than_a_state_error(index: int, data: st.DataObject) -> None:
    line = list(EXAMPLES[index][0])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(line)))
        line[place : place + data.draw(st.integers(0, 3))] = data.draw(st.text(max_size=3))
    view = SeatView(HEADS_UP)
    text = "".join(line)
    event = view.read(text)
    assert view.unreadable == 0 or getattr(event, "line", None) == text


@given(st.text())
def test_garbage_is_counted_and_never_raises(text: str) -> None:
    view = SeatView(HEADS_UP)
    view.read(text)
    assert view.hands == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("MATCHSTATE:2:0::AhKh|", "position 2"),
        ("MATCHSTATE:0:0:x:AhKh|", "'x'"),
        ("MATCHSTATE:0:0:r150:AhKh|", "r150 is not allowed"),
        ("MATCHSTATE:0:0:cf:AhKh|", "f is not allowed"),
        ("MATCHSTATE:0:0:fc:AhKh|", "after the end"),
        ("MATCHSTATE:0:0:cc:AhKh|", "should be 'cc/'"),
        ("MATCHSTATE:0:0:c/c:AhKh|", "should be 'cc/'"),
        ("MATCHSTATE:0:0::AhKh", "1 places"),
        ("MATCHSTATE:0:0::AhAh|", "Ah appears twice"),
        ("MATCHSTATE:0:0::|", "leave out the player's own"),
        ("MATCHSTATE:0:0::AhKh|QsQd", "may not see"),
        ("MATCHSTATE:0:0:cc/:AhKh|/2c3c", "board cards of each round"),
        ("MATCHSTATE:0:0:cc/:AhKh|", "rounds of board cards"),
        ("MATCHSTATE:0:0:r20000c///:AhKh|/2c3c4c/5c/6c", "leave out a hand"),
        ("HELLO", "MATCHSTATE"),
    ],
)
def test_what_is_wrong_is_said(line: str, said: str) -> None:
    with pytest.raises(StateError, match=said.replace("|", r"\|")):
        parse_state(line, HEADS_UP)


def test_a_safe_answer_where_one_is_due() -> None:
    """Cards that cannot be, on a betting that can: a free check, a fold otherwise, silence out of turn."""
    view = SeatView(HEADS_UP)
    cases = {
        "MATCHSTATE:0:0:c:AhAh|": CALL,
        "MATCHSTATE:0:0:r300:AhAh|": FOLD,
        "MATCHSTATE:1:0:r300:|AhAh": None,
        "MATCHSTATE:0:0:f:AhAh|": None,
        "MATCHSTATE:0:0:r1:AhKh|": FOLD,
        "nonsense": None,
    }
    for line, answer in cases.items():
        assert getattr(view.read(line), "answer", "none") == answer, line
    assert view.unreadable == len(cases)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("MATCHSTATE:0:7:cc/r300r900:AhKd|/2c3c4c", FOLD),
        ("MATCHSTATE:0:7:cc/r300r900:AhKh|/2c3c5c", FOLD),
        ("MATCHSTATE:0:7:cc/:AhKh|/2c3c4c", CALL),
        ("MATCHSTATE:0:7:cc/r3000r6000:AhKh|/2c3c4c", FOLD),
        ("MATCHSTATE:1:7:cc/r300:|AhKh/2c3c4c", FOLD),
        ("MATCHSTATE:1:7:cc/r300r900:|AhKh/2c3c4c", None),
    ],
)
def test_a_state_that_contradicts_the_one_before(line: str, answer: AcpcAction | None) -> None:
    """Other cards, another board, an action taken back or made larger, another position: not to be played on."""
    view = SeatView(HEADS_UP)
    assert view.read("MATCHSTATE:0:7:cc/r300:AhKh|/2c3c4c") is None
    event = view.read(line)
    assert view.unreadable == 1
    assert getattr(event, "answer", "none") == answer
    assert isinstance(view.read("MATCHSTATE:0:7:cc/r300r900:AhKh|/2c3c4c"), Turn)


def test_raises_count_over_the_whole_hand() -> None:
    state = parse_state("MATCHSTATE:0:0:r300c/:AhKh|/2c3c4c", HEADS_UP)
    hand = hand_of(state, HEADS_UP.config())
    assert acpc_action(Action.raise_to(450), hand) == AcpcAction("r", 750)


def test_standard_games_and_their_files() -> None:
    game = load_definition("holdem.nolimit.2p.reverse_blinds.game")
    published = """GAMEDEF
nolimit
numPlayers = 2
numRounds = 4
stack = 20000 20000
blind = 100 50
firstPlayer = 2 1 1 1
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""
    assert game.text() == published
    assert parse_definition(published, game.name) == game
    assert parse_definition(published.upper().replace("=", ""), game.name) == game
    three = standard_game(3)
    assert (three.blinds, three.first_player, three.stacks) == ((50, 100, 0), (2, 0, 0, 0), (20_000,) * 3)
    for definition in STANDARD_GAMES.values():
        assert parse_definition("# a comment\n\n" + definition.text(), definition.name) == definition
        assert definition.config().all_in_reopens
    assert definition_of(load_definition("headsup_100bb").config()) == load_definition("headsup_100bb")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("nolimit", "limit"), "not a no-limit game"),
        (("stack = 20000 20000\n", ""), "stacks would be endless"),
        (("blind = 100 50", "blind = 50 100"), "not the usual ones, 100 50"),
        (("firstPlayer = 2 1 1 1", "firstPlayer = 1 1 1 1"), "not the usual order"),
        (("numHoleCards = 2", "numHoleCards = 4"), "not hold'em"),
        (("numBoardCards = 0 3 1 1", "numBoardCards = 0 3"), "needs 4"),
        (("numPlayers = 2", "numPlayers = two"), "should be numbers"),
        (("stack = 20000 20000", "stack = 100 100"), "is not above the big blind"),
        (("numRanks = 13\n", ""), "does not say numranks"),
    ],
)
def test_a_game_that_cannot_be_played_is_refused(change: tuple[str, str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_definition(HEADS_UP.text().replace(*change), "my")
