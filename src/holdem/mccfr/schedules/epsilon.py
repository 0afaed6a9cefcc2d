"""Exploration of outcome sampling (Lanctot et al. 2009): the traverser mixes its strategy with a uniform choice."""


def epsilon_at(iteration: int, epsilon: float) -> float:
    """The share of uniform choices at an iteration: constant, because the importance weights stay bounded by it."""
    return epsilon


def sampling_probability(probability: float, num_actions: int, epsilon: float) -> float:
    """How likely the traverser draws an action that its strategy plays with `probability`."""
    return epsilon / num_actions + (1.0 - epsilon) * probability
