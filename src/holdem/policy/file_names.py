"""What the files of a policy are called."""

MANIFEST_NAME = "avg_policy.json"
"""The manifest of an average policy, in the folder of its run."""
BUCKETS_NAME = "buckets.pkl"
"""The manifest of the card abstraction beside it."""
