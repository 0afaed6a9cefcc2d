"""The examples run as they stand, and what they print is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.long
CHECKOUT = Path(__file__).parents[1]
NUMBER = r"([+-]?\d+(?:\.\d+)?)"


def output_of(name: str, *arguments: str) -> str:
    """What an example prints in a process of its own, started in the checkout."""
    command = [sys.executable, f"examples/{name}.py", *arguments]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    result = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, check=True, encoding="utf-8")
    return result.stdout


def numbers(pattern: str, text: str) -> list[float]:
    """The numbers of the only line that fits."""
    (found,) = re.findall(pattern, text)
    return [float(number) for number in found]


def test_a_solved_spot_is_the_one_of_the_textbook() -> None:
    """A bet of the pot with aces or air against a hand that beats the air (Chen and Ankenman 2006, chapter 11).

    One bluff for two aces, so three quarters of the four draws; a call every second time. An ace then wins 1.5 pots,
    a draw nothing: 0.6 × 150 = 90 of the pot of 100. The exploitability, at most 0.05 chips, bounds both values.
    """
    text = output_of("solve_a_spot")
    oop, ip = numbers(rf"oop {NUMBER}, ip {NUMBER} chips", text)
    assert abs(ip - 90.0) <= 0.1 and abs(oop - 10.0) <= 0.1
    fold, call = numbers(rf"after 'Check, Bet\(100\)': Fold {NUMBER}, Call {NUMBER}", text)
    assert abs(call - 0.5) < 0.01 and abs(fold - 0.5) < 0.01
    bets = dict(re.findall(rf"  (A.A.|J.T.)  \d\.\d+  {NUMBER}  worth", text))
    assert len(bets) == 10
    assert all(abs(float(bet) - (1.0 if hand[0] == "A" else 0.75)) < 0.01 for hand, bet in bets.items())


def test_agents_of_ones_own_lose_to_the_bot_what_they_must() -> None:
    """Jam or fold is symmetric over both seats, so nobody wins more from the bot than its exploitability: 0.43 bb/100.

    Who goes in with 46 of 1,326 hands gives up the small blind on nearly every button: 24 bb/100 of all hands, and more
    in the big blind. Local best response wins less from the wider ranges than from folding everything, 750 mbb/hand.
    """
    text = output_of("write_an_agent", "--hands", "2000")
    line = rf": {NUMBER} bb/100 over (\d+) hands, 95 % interval {NUMBER} to {NUMBER}: "
    tight, hands, low, high = numbers("Tight" + line + "loses", text)
    assert hands == 2000 and low < tight < high < -20.0
    _, hands, low, high = numbers("ByRanges" + line, text)
    assert hands == 2000 and low < 1.0 and low < high
    won, interval = numbers(rf"wins {NUMBER} ± {NUMBER} mbb/hand", text)
    assert -interval < won < 200.0


def test_a_game_of_ones_own_is_learnt(tmp_path: Path) -> None:
    """Aces are the best hand before the flop, so they never fold; queens to aces has nine classes of hands."""
    run = tmp_path / "run"
    text = output_of("train_your_own_game", "--iterations", "1000000", "--logdir", str(run))
    before, after = numbers(rf"exploitability: {NUMBER} chips a hand before training, {NUMBER} after", text)
    assert 0.0 < after < before / 4.0
    rows = re.findall(r"^  ([AKQ]{2}[so]?) +(\d\.\d+.*)$", text, re.MULTILINE)
    assert len(rows) == 2 * 9
    for name, row in rows:
        chances = [float(chance) for chance in row.split()]
        assert abs(sum(chances) - 1.0) < 0.003
        assert name != "AA" or chances[0] < 0.01
    assert (run / "avg_policy.json").is_file()


def test_the_demonstration_of_parallel_training_prints_a_row_for_each_number_of_workers() -> None:
    text = output_of("parallel_training_demo", "--seconds", "1", "--workers", "1", "2")
    rows = re.findall(r"^ +(\d+) +([\d,]+) +([\d,]+) +[\d.]+ +([\d.]+)×$", text, re.MULTILINE)
    assert [row[0] for row in rows] == ["1", "2"] and rows[0][3] == "1.00"
    assert all(int(row[1].replace(",", "")) > 0 for row in rows)
