"""Card abstractions of which only the manifest is at hand, and caches that hold their tables or nearly do."""

import os
from pathlib import Path

from holdem.abstraction.betting.row_layout import layout_rows
from holdem.abstraction.betting.tree import build_tree
from holdem.abstraction.bucketing import HandBucketing, shaping_config, table_digest, table_names
from holdem.abstraction.buckets.builder import BUILDING_KIND
from holdem.abstraction.buckets.cached_tables import cached_manifest
from holdem.abstraction.buckets.checks import STREETS
from holdem.policy.policy import AveragePolicy, BucketReference, PolicyInfo
from holdem.util.artifacts import write_pickle
from tests.built_buckets import small_buckets
from tests.evaluation.blueprints import holdem_config
from tests.evaluation.tables import random_strategy


def manifest_alone(path: Path) -> HandBucketing:
    """The preset `small` without tables, as it lies beside a policy."""
    HandBucketing.load(small_buckets()).save_manifest(path)
    return HandBucketing.load(path, tables=False)


def save_travelled(folder: Path, players: int = 2) -> Path:
    """A run with a random policy and the manifest of its buckets; nothing says where their tables were."""
    bucketing = HandBucketing.load(small_buckets())
    tree, counts = build_tree(holdem_config(players)), bucketing.buckets_per_street
    sums = random_strategy(tree, counts, layout_rows(tree, counts), 1)
    info = PolicyInfo(tree.config, counts, 1, BucketReference("buckets.pkl", bucketing.content_hash))
    folder.mkdir()
    bucketing.save_manifest(folder / "buckets.pkl")
    AveragePolicy.from_strategy_sums(info, sums, tree).save(folder)
    return folder


def nearly_built(bucketing: HandBucketing) -> Path:
    """Leave a build in the cache that ended before its last step: streets are those of the preset `small`."""
    whole, path = HandBucketing.load(small_buckets()), cached_manifest(bucketing)
    path.parent.mkdir(parents=True, exist_ok=True)
    digests = [table_digest(table) for table in whole.tables]
    for name, there in zip(table_names(path, digests), table_names(small_buckets(), digests), strict=True):
        os.link(small_buckets().with_name(there), path.with_name(name))
    finished = {
        street: {"grouping": grouping.to_plain(), "digest": digest, "report": whole.report[street]}
        for street, grouping, digest in zip(STREETS, whole.groupings, digests, strict=True)
    }
    state = {"config": shaping_config(whole.config), "finished": finished}
    write_pickle(path.with_name(f"{path.stem}.building.pkl"), BUILDING_KIND, 1, state)
    return path
