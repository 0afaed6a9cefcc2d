"""What the strategy page shows of a policy: the way to a decision, and what hands do there."""
