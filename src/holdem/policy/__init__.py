"""What a strategy is in memory and on disk: the average policy, its files, its hands, its fingerprint.

Training and merging write policies, so this room lies to their left; whoever plays one opens it through `blueprint`.
"""
