"""Matches over real TCP: both sides count the same chips, and the dealer does to bad answers what the C dealer does."""

import io
import socket
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from holdem.cards.cards import parse_cards
from holdem.errors import ConfigError, RunFailed
from holdem.game.agent import Observation
from holdem.game.hand import Hand
from holdem.table.acpc import dealer as dealer_module
from holdem.table.acpc.client import play_match
from holdem.table.acpc.dealer import MatchDealer, MatchScore, TimeLimits, format_chips
from holdem.table.acpc.game_definition import GameDefinition, definition_of, standard_game
from holdem.table.acpc.protocol import parse_betting
from holdem.table.acpc.proxy import Proxy
from holdem.table.acpc.rules import hand_values
from holdem.table.history.hand_history import HandHistory, read_history
from holdem.table.history.observed_hand import ObservedHand, SeatObserver
from holdem.types import GameConfig
from tests.table.acpc_tools import CallingAgent, RandomAgent, ScriptedDealer, play_with

HEADS_UP = standard_game(2)


def logged_hands(log: str) -> list[list[str]]:
    return [line.split(":") for line in log.splitlines() if line.startswith("STATE:")]


@pytest.mark.parametrize(("seats", "hands"), [(2, 60), (3, 30), (6, 8)])
def test_both_sides_count_the_same_chips(seats: int, hands: int) -> None:
    game = standard_game(seats, stack=3_000)
    log = io.StringIO()
    dealer = MatchDealer(game, hands, seed=11, log=log)
    results = play_with(dealer, game, [RandomAgent() for _ in range(seats)])
    assert dealer.hands_played == hands
    assert [result.chips for result in results] == pytest.approx(dealer.chips, abs=1e-6)
    assert sum(dealer.chips) == pytest.approx(0, abs=1e-6)
    assert all(result.hands == hands and result.finished for result in results)
    assert all(result.unreadable_states == result.faults == result.unfinished_hands == 0 for result in results)
    assert dealer.corrected == [0] * seats
    check_log(log.getvalue(), game, dealer.score())


def test_unequal_stacks_of_three_seats_are_counted_right_too() -> None:
    game = definition_of(GameConfig(num_players=3, stacks=(400, 900, 2_000)))
    dealer = MatchDealer(game, 40, seed=1)
    results = play_with(dealer, game, [RandomAgent() for _ in range(3)])
    assert [result.chips for result in results] == pytest.approx(dealer.chips, abs=1e-6)
    assert [result.hands for result in results] == [40] * 3
    assert dealer.corrected == [0] * 3


def check_log(log: str, game: GameDefinition, score: MatchScore) -> None:
    """Every hand of a log is worth what it says, and the score is the sum by name."""
    totals = dict.fromkeys(score.names, 0.0)
    for number, (_, told_number, betting_text, cards, values, names) in enumerate(logged_hands(log)):
        assert int(told_number) == number
        hole_text, *board_texts = cards.split("/")
        hole_cards = tuple(parse_cards(part) for part in hole_text.split("|"))
        betting = parse_betting(betting_text, game)
        worth = hand_values(betting, hole_cards, parse_cards("".join(board_texts)))
        assert [format_chips(value) for value in worth] == values.split("|")
        for name, value in zip(names.split("|"), worth, strict=True):
            totals[name] += value
    assert log.splitlines()[-1] == score.line()
    assert list(totals.values()) == pytest.approx(score.chips, abs=1e-6)


@pytest.mark.slow
def test_a_match_of_a_thousand_hands() -> None:
    log = io.StringIO()
    dealer = MatchDealer(HEADS_UP, 1_000, seed=2, log=log)
    results = play_with(dealer, HEADS_UP, [RandomAgent("one"), RandomAgent("two")])
    assert [result.chips for result in results] == dealer.chips
    assert [result.hands for result in results] == [1_000, 1_000]
    check_log(log.getvalue(), HEADS_UP, dealer.score())


def test_the_same_seed_is_the_same_match() -> None:
    logs = []
    for _ in range(2):
        log = io.StringIO()
        play_with(MatchDealer(HEADS_UP, 20, seed=7, log=log), HEADS_UP, [RandomAgent(), RandomAgent()])
        logs.append(log.getvalue())
    assert logs[0] == logs[1]
    assert logs[0].startswith("# name/game/hands/seed match holdem.nolimit.2p.reverse_blinds.game 20 7\n#--t_response ")


def test_seats_move_unless_they_are_fixed() -> None:
    for fixed, second in ((False, "Bob|Alice"), (True, "Alice|Bob")):
        log = io.StringIO()
        dealer = MatchDealer(HEADS_UP, 2, names=("Alice", "Bob"), log=log, fixed_seats=fixed)
        play_with(dealer, HEADS_UP, [RandomAgent(), RandomAgent()])
        assert [hand[5] for hand in logged_hands(log.getvalue())] == ["Alice|Bob", second]


class RawPlayer:
    """A player that answers with given texts, whatever they are; `None` answers nothing."""

    def __init__(self, port: int, answers: list[str | None], first: str = "VERSION:2.0.0") -> None:
        self.connection = socket.create_connection(("127.0.0.1", port))
        self.connection.sendall(first.encode() + b"\r\n")
        self.seen: list[str] = []
        self._answers = iter(answers)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            for line in self.connection.makefile(newline="\r\n"):
                state = line.strip()
                self.seen.append(state)
                if self._to_act(state):
                    answer = next(self._answers, "{state}:c")
                    if answer is not None:
                        self.connection.sendall(answer.replace("{state}", state).encode() + b"\r\n")
        except OSError:
            pass

    @staticmethod
    def _to_act(state: str) -> bool:
        _, position, _, betting, _ = state.split(":")
        played = parse_betting(betting, HEADS_UP)
        return not played.finished and played.current_player == int(position)


def test_bad_answers_are_corrected_as_the_c_dealer_does() -> None:
    """Seat 2 is player 1 of hand 0 and speaks first: too little, then nonsense, then a free fold, then too much."""
    log = io.StringIO()
    dealer = MatchDealer(HEADS_UP, 1, log=log, limits=TimeLimits(response_seconds=60))
    ports = dealer.listen()
    strange = "# a comment\r\nMATCHSTATE:1:99::|2c3c:f\r\nnonsense\r\n{state}:r120"
    raw = [
        RawPlayer(ports[0], ["{state}:c", "{state}:f", "{state}:c"]),
        RawPlayer(ports[1], [strange, "{state}:hello", "{state}:r999999"]),
    ]
    dealer.run()
    betting = logged_hands(log.getvalue())[0][2]
    assert betting == "r200c/cc/cr20000c/"
    assert dealer.corrected == [1, 3]
    for player in raw:
        player.thread.join(timeout=10)
        assert len(player.seen) == 8  # one state after each of seven actions, and the first


def test_who_answers_too_late_or_leaves_ends_the_match() -> None:
    dealer = MatchDealer(HEADS_UP, 1, limits=TimeLimits(response_seconds=0.3))
    ports = dealer.listen()
    silent = [RawPlayer(port, [None]) for port in ports]
    with pytest.raises(RunFailed, match=r"seat 2 \(player2\) ran out of time in hand 0"):
        dealer.run()
    silent[0].thread.join(timeout=60)  # until it has read all that the dealer sent before it closed
    assert len(silent[0].seen) == 1

    dealer = MatchDealer(HEADS_UP, 1)
    ports = dealer.listen()
    RawPlayer(ports[0], [])
    leaver = RawPlayer(ports[1], [None])
    threading.Timer(0.3, lambda: leaver.connection.shutdown(socket.SHUT_RDWR)).start()
    with pytest.raises(RunFailed, match=r"seat 2 .* left the match in hand 0"):
        dealer.run()


def test_the_time_of_a_whole_match_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on only while the slow one thinks: the other never runs out of time on a busy machine."""
    now = 100.0
    monkeypatch.setattr(dealer_module, "time", SimpleNamespace(monotonic=lambda: now))

    class Slow(CallingAgent):
        def act(self, observation: Observation):  # type: ignore[no-untyped-def]
            nonlocal now
            now += 6.0
            threading.Event().wait(0.05)  # when no time is left, the dealer waits for a thousandth of a second
            return super().act(observation)

    dealer = MatchDealer(HEADS_UP, 10, limits=TimeLimits(average_hand_seconds=3.0))
    ports = dealer.listen()
    threads = [
        threading.Thread(target=lambda a=agent, p=port: _ignore_lost(p, a), daemon=True)
        for agent, port in zip((CallingAgent(), Slow()), ports, strict=True)
    ]
    for thread in threads:
        thread.start()
    with pytest.raises(RunFailed, match=r"seat 2 .* ran out of time"):
        dealer.run()


def _ignore_lost(port: int, agent: CallingAgent) -> None:
    with pytest.raises(RunFailed):
        play_match("127.0.0.1", port, agent, HEADS_UP)


def test_nobody_comes_or_somebody_speaks_something_else() -> None:
    dealer = MatchDealer(HEADS_UP, 1, limits=TimeLimits(start_seconds=0.2))
    with pytest.raises(RunFailed, match=r"seat 1 .* did not connect within"):
        dealer.run()
    dealer = MatchDealer(HEADS_UP, 1)
    ports = dealer.listen()
    RawPlayer(ports[0], [], first="GET / HTTP/1.1")
    RawPlayer(ports[1], [])
    with pytest.raises(RunFailed, match=r"'GET / HTTP/1\.1', which is not VERSION"):
        dealer.run()


def test_what_cannot_be_dealt_is_refused() -> None:
    with pytest.raises(ConfigError, match="3 names for 2 seats"):
        MatchDealer(HEADS_UP, 1, names=("a", "b", "c"))
    with pytest.raises(ConfigError, match=r"no \| or :"):
        MatchDealer(HEADS_UP, 1, names=("a|b", "c"))
    taken = socket.create_server(("127.0.0.1", 0))
    with taken, pytest.raises(RunFailed, match="choose another port"):
        MatchDealer(HEADS_UP, 1, ports=(taken.getsockname()[1], 0)).listen()


def test_chips_are_printed_as_the_c_dealer_prints_them() -> None:
    told = [format_chips(chips) for chips in (0.0, -0.0, 100.0, -2.5, 100 / 3)]
    assert told == ["0", "0", "100", "-2.5", "33.333333"]


class Notes(SeatObserver):
    """Counts what it is told."""

    def __init__(self) -> None:
        self.started: list[ObservedHand] = []
        self.over: list[ObservedHand] = []
        self.turns: list[Observation] = []
        self.records = 0

    def hand_started(self, hand: ObservedHand) -> None:
        self.started.append(hand)

    def happened(self, record: object) -> None:
        self.records += 1

    def to_act(self, observation: Observation) -> None:
        self.turns.append(observation)

    def hand_over(self, hand: ObservedHand) -> None:
        self.over.append(hand)


def test_observers_and_histories_see_what_the_seat_saw(tmp_path: Path) -> None:
    notes, agent = Notes(), RandomAgent()
    dealer = MatchDealer(HEADS_UP, 25, seed=3)
    ports = dealer.listen()
    other = threading.Thread(target=lambda: play_match("127.0.0.1", ports[0], RandomAgent(), HEADS_UP, seed=8))
    server = threading.Thread(target=dealer.run)
    other.start()
    server.start()
    with HandHistory.open(tmp_path / "hands.phhs") as history:

        def keep(hand: Hand, chips: float) -> None:
            history.append(hand, hero_seat=1)
            assert hand.payoffs[1] == chips

        result = play_match("127.0.0.1", ports[1], agent, HEADS_UP, observers=[notes], on_hand=keep, seat=1)
    other.join(timeout=20)
    server.join(timeout=20)
    assert len(notes.started) == len(notes.over) == result.hands == 25
    assert len(notes.turns) == agent.decisions
    assert {turn.seat for turn in notes.turns} == {1}
    told = sum(len(hand.records) for hand in notes.over) - sum(len(hand.records) for hand in notes.started)
    assert notes.records == told
    stored = read_history(tmp_path / "hands.phhs")
    assert [one.hand.payoffs for one in stored] == [over.payoffs for over in notes.over]
    assert sum(one.hand.payoffs[1] for one in stored) == result.chips == dealer.chips[1]


def _fails(dealer: MatchDealer) -> None:
    with pytest.raises(RunFailed, match="left the match"):
        dealer.run()


def test_a_player_leaves_after_its_hands_and_that_ends_the_match() -> None:
    dealer = MatchDealer(HEADS_UP, 50)
    ports = dealer.listen()
    server = threading.Thread(target=_fails, args=(dealer,), daemon=True)
    server.start()
    other = threading.Thread(target=lambda: _ignore_lost(ports[0], CallingAgent()), daemon=True)
    other.start()
    result = play_match("127.0.0.1", ports[1], CallingAgent(), HEADS_UP, max_hands=5)
    assert (result.hands, result.finished) == (5, False)
    server.join(timeout=10)
    other.join(timeout=10)
    assert dealer.hands_played >= 5


def test_a_proxy_watches_a_seat_and_changes_nothing() -> None:
    notes = Notes()
    watched = RandomAgent()
    dealer = MatchDealer(HEADS_UP, 20, seed=5)
    ports = dealer.listen()
    proxy = Proxy("127.0.0.1", ports[1], HEADS_UP, observers=[notes])
    threads = [
        threading.Thread(target=dealer.run),
        threading.Thread(target=lambda: play_match("127.0.0.1", ports[0], RandomAgent(), HEADS_UP, seed=1)),
        threading.Thread(target=lambda: play_match("127.0.0.1", proxy.port, watched, HEADS_UP, seed=2)),
    ]
    for thread in threads:
        thread.start()
    result = proxy.run()
    for thread in threads:
        thread.join(timeout=20)
    assert (result.hands, result.chips, result.finished) == (20, dealer.chips[1], True)
    assert len(notes.turns) == watched.decisions
    assert dealer.hands_played == 20


def test_a_proxy_never_answers_for_the_agent() -> None:
    """The watched agent is silent at its turn and the observer thinks: the dealer gets only the agent's bytes."""
    states = b"MATCHSTATE:1:0::|AhKh\r\nMATCHSTATE:1:0:r:|AhKh\r\ngarbage\r\n"
    told = threading.Event()

    class Thinker(Notes):
        def to_act(self, observation: Observation) -> None:
            super().to_act(observation)
            told.set()

    def script(connection: socket.socket) -> None:
        connection.sendall(states)
        told.wait(10)

    dealer = ScriptedDealer(script)
    thinker = Thinker()
    proxy = Proxy("127.0.0.1", dealer.port, HEADS_UP, observers=[thinker])
    agent = socket.create_connection(("127.0.0.1", proxy.port))
    agent.sendall(b"VERSION:2.0.0\r\n")
    runner = threading.Thread(target=proxy.run)
    runner.start()
    received = b""
    while len(received) < len(states):
        received += agent.recv(4096)
    assert received == states
    assert told.wait(10)
    agent.close()
    runner.join(timeout=10)
    assert dealer.answers() == ["VERSION:2.0.0"]
    assert len(thinker.turns) == 1


def test_a_proxy_without_dealer_or_agent_says_so() -> None:
    with pytest.raises(RunFailed, match="no agent connected to port"):
        Proxy("127.0.0.1", 1, HEADS_UP, start_seconds=0.1).run()
    proxy = Proxy("127.0.0.1", 1, HEADS_UP, connect_seconds=0.2)
    with socket.create_connection(("127.0.0.1", proxy.port)), pytest.raises(RunFailed, match="no dealer answers"):
        proxy.run()
