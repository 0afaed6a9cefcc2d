"""Playing and showing a policy: its buckets, its way through a real hand, the agent, views and pictures.

Evaluation, search, tables and pages open blueprints here; whatever a blueprint plays is decided in `agent`.
"""
