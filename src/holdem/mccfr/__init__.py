"""Training: Monte Carlo counterfactual regret minimisation over a betting tree and bucketed cards."""
