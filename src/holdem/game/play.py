"""Agents play hands: one deal, or a duplicate in which everybody plays every position of the deal."""

from collections.abc import Sequence

from holdem.errors import ConfigError, IllegalAction
from holdem.game.agent import Agent, observe
from holdem.game.game import Game
from holdem.game.hand import Hand
from holdem.util.rng import derived_seed


def play_hand(
    game: Game,
    agents: Sequence[Agent],
    deal_seed: int,
    *,
    button: int | None = None,
    stacks: Sequence[int] | None = None,
) -> Hand:
    """Play one deal to the end; `agents` and `stacks` by seat."""
    if len(agents) != game.config.num_players:
        raise ConfigError(f"{len(agents)} agents for {game.config.num_players} seats; give one per seat")
    hand = game.new_hand(deal_seed, button=button, stacks=stacks)
    deal = derived_seed(deal_seed, "observed deal")  # the seed itself would tell everybody's cards
    decisions = [0] * len(agents)
    while (seat := hand.actor) is not None:
        observation = observe(hand, deal, decisions[seat])
        decisions[seat] += 1
        try:
            hand.act(agents[seat].act(observation))
        except IllegalAction as error:
            raise IllegalAction(f"agent {agents[seat].name}: {error}") from None
    return hand


def play_duplicate(game: Game, agents: Sequence[Agent], deal_seed: int) -> tuple[int, ...]:
    """Chips won by each agent over all rotations of one deal: everybody plays every position's cards once."""
    count = len(agents)
    totals = [0] * count
    for shift in range(count):
        seated = [agents[(seat + shift) % count] for seat in range(count)]
        for seat, chips in enumerate(play_hand(game, seated, deal_seed).payoffs):
            totals[(seat + shift) % count] += chips
    return tuple(totals)
