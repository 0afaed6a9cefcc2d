"""The buckets of hands as an agent asks for them: one hand, or all 1,326 on a board, remembered.

The big tables of a card abstraction make a lookup instant. They are found by the policy's own reference: beside the
policy lies the manifest, and the tables are wherever a preset with the same content hash was built, where training read
them, or in the user's cache. Without them the bucket of a hand is computed from the manifest, in milliseconds: a person
at a table never waits for tables. What plays or reads hands by the thousand calls `open_tables`, which builds them.
"""

import multiprocessing
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from holdem.abstraction.bucketing import HandBucketing
from holdem.abstraction.buckets.cached_tables import cached_tables, with_tables
from holdem.abstraction.buckets.presets import BUCKET_PRESETS, default_path
from holdem.cards.cards import Cards, hole_index
from holdem.cards.ranges import CLASS_OF_HOLE, NUM_CLASSES
from holdem.errors import ArtifactError
from holdem.game.toy_games import bucket_of, toy_game
from holdem.policy.hands import bucketing_of, buckets_of_holes, check_counts, is_lossless
from holdem.policy.policy import AveragePolicy
from holdem.util.arrays import Int64
from holdem.util.files.regular import is_there
from holdem.util.logs import LOGGER


class PolicyBuckets:
    """Buckets of the hands of one policy; agents that share it look a hand up once."""

    def __init__(self, policy: AveragePolicy, bucketing: HandBucketing | None = None) -> None:
        self.policy = policy
        self.bucketing = matching_bucketing(policy) if bucketing is None else checked_bucketing(policy, bucketing)
        self._lossless = is_lossless(policy)
        self._classes = not self._lossless and policy.info.buckets_per_street[0] == NUM_CLASSES
        self.bucket = lru_cache(maxsize=1 << 18)(self._bucket)
        self.of_holes = lru_cache(maxsize=256)(self._of_holes)

    @property
    def lacks_tables(self) -> bool:
        """Whether buckets are computed from the manifest, since the tables are not here."""
        return self.bucketing is not None and not self.bucketing.tables

    def open_tables(self, quiet: bool = False) -> HandBucketing | None:
        """The card abstraction with its tables, built first where they are nowhere; None for a policy without one.

        Everybody who shares these buckets has the tables from then on; buckets stay the same.
        """
        if self.bucketing is not None:
            self.bucketing = with_tables(self.bucketing, quiet)
        return self.bucketing

    def find_tables(self) -> None:
        """Take the tables of the user's cache, if they are there by now."""
        if self.bucketing is not None and not self.bucketing.tables:
            self.bucketing = cached_tables(self.bucketing) or self.bucketing

    def _bucket(self, hole: Cards, board: Cards) -> int:
        """The bucket of a hand; hole and board in ascending order are remembered best."""
        if self._lossless:
            return bucket_of(toy_game(self.policy.config), hole, board)
        if not board and self._classes:
            return int(CLASS_OF_HOLE[hole_index(*hole)])
        return (self.bucketing or bucketing_of(self.policy)).bucket(hole, board)

    def _of_holes(self, board: Cards) -> Int64:
        """(1326,) the bucket of every hole pair with this board, -1 where it cannot be held."""
        if board and self.bucketing is not None and not self._lossless:
            buckets = self.bucketing.buckets_of_holes(board)
        else:
            buckets = buckets_of_holes(self.policy, board)
        buckets.setflags(write=False)
        return buckets


def matching_bucketing(policy: AveragePolicy) -> HandBucketing | None:
    """The card abstraction of a policy: with its tables if they are found, else the manifest beside the policy."""
    reference = policy.info.bucketing
    if reference is None:
        return None
    places = [default_path(preset) for preset in BUCKET_PRESETS]
    if reference.origin is not None:
        places.append(Path(reference.origin))
    for path in places:
        with suppress(ArtifactError):  # only a shortcut: somebody may have cleared it away in part, or damaged it
            if _is_at(path, reference.content_hash):
                return check_counts(policy, HandBucketing.load(path))
    beside = bucketing_of(policy)
    return check_counts(policy, cached_tables(beside) or beside)


def tabled_bucketing(policy: AveragePolicy) -> HandBucketing | None:
    """The card abstraction of a policy with its tables, built first where they are nowhere."""
    found = matching_bucketing(policy)
    return None if found is None else with_tables(found)


def prepare_tables(buckets: object) -> None:
    """Open the tables of whoever looks up many hands; where they cannot be built, that is said, and it takes longer.

    A worker only looks for them: whoever started it has built them, or has failed and said so.
    buckets: of an agent, such as `PolicyBuckets`; anything else has no tables
    """
    if not isinstance(buckets, PolicyBuckets):
        return
    if multiprocessing.parent_process() is not None:
        buckets.find_tables()
    else:
        try:
            buckets.open_tables()
        except ArtifactError as error:
            LOGGER.warning("buckets are computed hand by hand, which takes longer: %s", error)


def _is_at(path: Path, content_hash: str) -> bool:
    return is_there(path) and HandBucketing.load(path, tables=False).content_hash == content_hash


def checked_bucketing(policy: AveragePolicy, bucketing: HandBucketing) -> HandBucketing:
    """The same abstraction, or an ArtifactError if the policy was trained with another."""
    reference = policy.info.bucketing
    if reference is not None and reference.content_hash != bucketing.content_hash:
        raise ArtifactError(
            f"{bucketing.path or 'this card abstraction'} is not the one that {policy.path or 'this policy'} was "
            f"trained with (content hash {bucketing.content_hash[:12]}, not {reference.content_hash[:12]}); "
            "leave --buckets out or name the right file"
        )
    return check_counts(policy, bucketing)
