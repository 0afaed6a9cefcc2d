"""Solve a spot and look at a node: python examples/solve_a_spot.py

It is the river, the pot is 100, and each player has 100 behind. Player ip has aces or a missed draw. Player oop has
queens, which beat only the draw. Theory knows the answer: ip bets the pot with all aces and half as many bluffs,
and oop calls half of the time. The spot is worth 90 to ip. Write a spot of your own into SPOT (keys: docs/solver.md).
"""

import argparse

from holdem.realtime import solve_subgame
from holdem.realtime.subgame.nodes.view import NodeView, hand_name

SPOT = {
    "board": "Ks 8d 5c 3h 2c",
    "pot": 100,
    "effective_stack": 100,
    "range_oop": "QQ",
    "range_ip": "AA, JTs",
    "bet_sizes": {"river": {"bet": "100%"}},
}


def print_node(node: NodeView) -> None:
    """What the whole range does at a node, and every hand of it."""
    print(f"\nafter {', '.join(node.path)!r}: " + ", ".join(f"{a} {p:.3f}" for a, p in node.frequencies.items()))
    for hand, row, value in zip(node.hands.tolist(), node.strategy, node.values, strict=True):
        print(f"  {hand_name(hand)}  " + "  ".join(f"{p:.3f}" for p in row) + f"  worth {value:.1f}")


def main() -> None:
    """Solve to a target, then ask."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=float, default=0.05, help="exploitability to reach, in per cent of the pot")
    solution = solve_subgame(SPOT, target_percent=parser.parse_args().target)
    oop, ip = solution.expected_values
    print(f"oop {oop:.1f}, ip {ip:.1f} chips of the pot of {solution.spot.pot}")
    print(f"exploitability {solution.exploitability_percent:.3f} % after {solution.result.iterations} iterations")
    print_node(solution.node("check"))
    print_node(solution.node("check, bet 100"))


if __name__ == "__main__":
    main()
