"""Merging: exact scales, a plain twin, and what it is worth on Leduc."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdem.abstraction.betting.tree import NodeKind
from holdem.evaluation.response.exact import BestResponse
from holdem.game.toy_games import toy_game
from holdem.mccfr.instances.exchange import Merger, Offer
from holdem.mccfr.instances.merge import find_parts, load_table, merge_tables, schedule_of
from holdem.mccfr.kernels.table import HIGHEST_ENTRY
from holdem.mccfr.run.checkpoint import CheckpointInfo, newest_valid, read_info
from holdem.mccfr.schedules.discount import DiscountSchedule
from holdem.mccfr.schedules.pruning import LOWEST_REGRET
from holdem.mccfr.schedules.total_weight import halvings_after, total_weights
from holdem.mccfr.solver import MCCFRSolver
from holdem.mccfr.table.average import average_tables, reference_average_row
from holdem.mccfr.table.regret_tracker import RegretTracker
from holdem.mccfr.training_game import TrainingGame
from holdem.policy.fingerprint import fingerprint
from holdem.policy.policy import AveragePolicy
from holdem.types import MCCFRConfig
from holdem.util.arrays import AnyArray
from tests.cli.runs import Run, make_runner

LEDUC = TrainingGame.from_preset("leduc")
EVALUATOR = BestResponse(toy_game(LEDUC.config), LEDUC.tree, LEDUC.layout)


@pytest.fixture
def holdem(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return make_runner(monkeypatch, capsys)


def exploitability(table: AnyArray) -> float:
    return EVALUATOR.exploitability(RegretTracker(LEDUC, table).average_strategy_table())


def solver(seed: int, stream_start: int = 0) -> MCCFRSolver:
    return MCCFRSolver(MCCFRConfig(seed=seed), LEDUC, stream_start=stream_start)


def part(trained: MCCFRSolver) -> tuple[CheckpointInfo, AnyArray]:
    content = fingerprint(LEDUC.config, LEDUC.buckets_per_street, "lossless", trained.config.model_dump(mode="json"))
    info = CheckpointInfo(trained.iteration, 0, 0, {}, list(LEDUC.buckets_per_street), content)
    return info, trained.tracker.table


@given(
    interval=st.integers(0, 12),
    alpha=st.sampled_from([0.0, 0.5, 1.0, 1.5, 4.0]),
    beta=st.sampled_from([0.0, 1.0, 2.0]),
    iterations=st.integers(1, 90),
)
def test_total_weight_is_what_a_table_of_ones_would_hold(
    interval: int, alpha: float, beta: float, iterations: int
) -> None:
    """One chip an iteration, added and halved as the solver does it, one iteration at a time."""
    schedule = DiscountSchedule(interval, alpha, beta)
    regret = strategy = 0.0
    halved = [0, 0]
    for iteration in range(iterations):
        by_regret, by_strategy = schedule.halvings_at(iteration)
        halved = [halved[0] + by_regret, halved[1] + by_strategy]
        weights = schedule.weights(iteration)
        regret = regret / 2**by_regret + weights[0].mantissa
        strategy = strategy / 2**by_strategy + weights[1].mantissa
    assert total_weights(schedule, iterations) == pytest.approx((regret, strategy), rel=1e-12)
    assert list(halvings_after(schedule, iterations)) == halved


@given(seed=st.integers(0, 2**32), count=st.integers(1, 4), scale=st.sampled_from([1.0, 3.0]))
def test_averages_are_those_of_the_plain_twin(seed: int, count: int, scale: float) -> None:
    """Rows beyond the limit are halved as a whole, regrets stop at the lowest."""
    generator = np.random.default_rng(seed)
    limit = HIGHEST_ENTRY
    shape = (count, LEDUC.layout.entries)
    regrets, sums = generator.integers(-limit, limit, shape), generator.integers(0, limit, shape)
    tables = list(np.stack([regrets, sums], axis=2).astype(np.int32))
    shares = (generator.dirichlet(np.ones(count)) * scale).tolist()
    out = np.zeros_like(tables[0])
    average_tables(LEDUC.tree, LEDUC.buckets_per_street, tables, shares, shares, out)
    assert out.max() <= HIGHEST_ENTRY
    assert out.min() >= LOWEST_REGRET
    for node in np.flatnonzero(LEDUC.tree.kind == NodeKind.DECISION)[::7].tolist():
        start = LEDUC.layout.row_start(node, 1)
        row = slice(start, start + int(LEDUC.tree.num_actions[node]))
        for column in (0, 1):
            expected = reference_average_row([table[row, column].tolist() for table in tables], shares)
            np.testing.assert_allclose(out[row, column], expected, atol=1)


def test_merging_one_run_changes_nothing() -> None:
    alone = solver(3)
    alone.run(23_456)
    merged = merge_tables(LEDUC.tree, [part(alone)])
    np.testing.assert_array_equal(merged, alone.tracker.table)


def test_merging_equal_tables_only_changes_their_scale() -> None:
    """Four copies are as large as one run of four times the iterations, and each row keeps its proportions."""
    alone = solver(3)
    alone.run(23_456)
    merged = merge_tables(LEDUC.tree, [part(alone)] * 4)
    scale = np.divide(total_weights(alone.discounts, 4 * 23_456), total_weights(alone.discounts, 23_456))
    np.testing.assert_allclose(merged, alone.tracker.table * scale, atol=0.5)


def test_a_longer_instance_counts_by_its_iterations() -> None:
    """Sums whose total weight is 1 each, at different lengths and halvings, merge as 3 : 1."""
    schedule = DiscountSchedule(1000, 1.0, 1.0)
    lengths, column = (9_000, 3_000), np.zeros((LEDUC.layout.entries, 2))
    tables = []
    for action, length in enumerate(lengths):
        table = column.copy()
        table[action, 1] = total_weights(schedule, length)[1] * 1e6
        tables.append(table)
    training = {"discount_interval": 1000, "regret_discount_alpha": 1.0, "strategy_discount_beta": 1.0}
    infos = [CheckpointInfo(n, 0, 0, {}, list(LEDUC.buckets_per_street), {"training": training}) for n in lengths]
    merged = merge_tables(LEDUC.tree, list(zip(infos, tables, strict=True)))
    assert merged[0, 1] / merged[1, 1] == pytest.approx(3.0, rel=1e-12)
    assert merged[:2, 1].sum() == pytest.approx(total_weights(schedule, 12_000)[1] * 1e6, rel=1e-12)


@pytest.mark.parametrize(("players", "exponent"), [(2, 1.0), (3, 4.0)])
def test_settings_of_another_version_do_not_matter_to_the_discounts(players: int, exponent: float) -> None:
    """A run may carry a setting that this version does not have; only the three numbers of the schedule are read."""
    training = {"discount_interval": 7, "regret_discount_alpha": 1.0, "strategy_discount_beta": 1.0, "of_old": 500}
    info = CheckpointInfo(1, 0, 0, {}, [1], {"training": training})
    schedule = schedule_of(info, players)
    assert (schedule.interval, schedule.alpha, schedule.beta) == (7, 1.0, exponent)


def test_four_instances_merged_are_nearly_one_run_of_four_times_the_length() -> None:
    """Means over four seeds: a single ratio is 1.2 give or take 0.13, so their mean is below 1.4 by three errors."""
    length, merged, whole = 100_000, [], []
    for seed in (0, 100, 200, 300):
        instances = [solver(seed + k, k * length) for k in range(4)]
        for instance in instances:
            instance.run(length)
        merged.append(exploitability(merge_tables(LEDUC.tree, [part(instance) for instance in instances])))
        best_alone = min(exploitability(instance.tracker.table) for instance in instances)
        assert merged[-1] < 0.85 * best_alone, "clearly better than any of the four"
        one = solver(seed)
        one.run(4 * length)
        whole.append(exploitability(one.tracker.table))
    assert np.mean(merged) <= 1.4 * np.mean(whole)


def merged_run(seed: int, length: int, interval: int) -> float:
    """Exploitability of four instances that merge at an interval, and end with one table."""
    instances = [solver(seed + k, k * length) for k in range(4)]
    merger = Merger(LEDUC.tree, LEDUC.buckets_per_street, instances[0].discounts)
    for _ in range(length // interval):
        for instance in instances:
            instance.run(interval)
        offers = [Offer(k, i.iteration, interval, i.tracker.table.copy()) for k, i in enumerate(instances)]
        for number, result in merger.combine(offers).items():
            instances[number].tracker.table[:] = result.table
    assert all((i.tracker.table == instances[0].tracker.table).all() for i in instances)
    return exploitability(instances[0].tracker.table)


def test_merging_at_intervals_is_no_worse_than_merging_at_the_end() -> None:
    """Over two seeds: at the end 0.035, at intervals 0.026 to 0.033; summed regrets would be several times as much."""
    length, at_end = 100_000, []
    for seed in (0, 100):
        instances = [solver(seed + k, k * length) for k in range(4)]
        for instance in instances:
            instance.run(length)
        at_end.append(exploitability(merge_tables(LEDUC.tree, [part(instance) for instance in instances])))
    for interval in (1_000, 4_000, 20_000):
        assert np.mean([merged_run(seed, length, interval) for seed in (0, 100)]) <= np.mean(at_end), interval


def test_instances_of_different_pace_share_one_scale() -> None:
    """One has halved its table and the other has not: the table that each gets back is in its own units."""
    fast, slow = solver(1), solver(2, 1 << 40)
    fast.run(25_000)
    slow.run(9_000)
    assert halvings_after(fast.discounts, 25_000) != halvings_after(slow.discounts, 9_000)
    merger = Merger(LEDUC.tree, LEDUC.buckets_per_street, fast.discounts)
    offers = [Offer(0, 25_000, 25_000, fast.tracker.table), Offer(1, 9_000, 9_000, slow.tracker.table)]
    result = merger.combine(offers)
    steps = np.subtract(halvings_after(fast.discounts, 25_000), halvings_after(slow.discounts, 9_000))
    np.testing.assert_allclose(result[1].table / 2.0**steps, result[0].table, atol=1)


def test_an_instance_that_comes_back_gets_the_merged_table() -> None:
    """Its own table is older than the last merge, so it does not count."""
    others, back = [solver(1), solver(2)], solver(3)
    for other in others:
        other.run(1000)
    merger = Merger(LEDUC.tree, LEDUC.buckets_per_street, back.discounts)
    offers = [Offer(k, 1000, 1000, other.tracker.table) for k, other in enumerate(others)]
    without = merger.combine(offers)
    back.run(500)
    result = merger.combine([*offers, Offer(2, 500, 0, back.tracker.table, joining=True)])
    for number in range(3):
        np.testing.assert_array_equal(result[number].table, without[0].table)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two instances by hand, in this process."""
    from holdem.game import load_preset
    from holdem.mccfr.instances.instance import InstanceSpec, file_companion, train_instance
    from holdem.mccfr.run.start import RunOptions

    folder = tmp_path_factory.mktemp("merge") / "run"
    for spec in (InstanceSpec(0, 0, 30_000), InstanceSpec(1, 30_000, 50_000)):
        config = spec.settings(MCCFRConfig(seed=7, num_iterations=50_000))
        companion = file_companion(spec, config, folder)
        options = RunOptions(folder, tensorboard=False)
        assert train_instance(config, load_preset("leduc"), None, companion, options) == 0
    return folder


def test_holdem_merge(run: Path, tmp_path: Path, holdem: Run) -> None:
    out = tmp_path / "merged"
    result = holdem("merge", run, "--out", out)
    assert result.status == 0, result.err
    assert "merged 2 instances with 50,000 iterations" in result.out
    assert read_info(out / "checkpoint_final.pkl").iteration == 50_000
    assert AveragePolicy.load(out).info.iterations == 50_000
    alone = [exploitability(load_table(found)) for found in find_parts([run])]
    merged = exploitability(load_table(find_parts([out])[0]))
    assert merged < min(alone)
    assert "check" in holdem("show", out).out
    longer = ("--resume-from", out, "--iters", 150_000, "--logdir", tmp_path / "longer")
    assert holdem("train", "--game", "leduc", "--no-tensorboard", *longer).status == 0
    assert newest_valid(tmp_path / "longer")[1].iteration == 150_000
    assert exploitability(load_table(find_parts([tmp_path / "longer"])[0])) < merged


def test_merging_other_settings_says_what_differs(run: Path, tmp_path: Path, holdem: Run) -> None:
    holdem("train", "--game", "kuhn", "--no-tensorboard", "--iters", 100, "--logdir", tmp_path / "kuhn")
    result = holdem("merge", run, tmp_path / "kuhn", "--out", tmp_path / "out")
    assert result.status == 2
    assert 'game.variant: was "leduc", is "kuhn"' in result.err
    assert "buckets.per_street: was" in result.err
    assert not (tmp_path / "out").exists()


def test_a_run_is_not_merged_into_itself(run: Path, holdem: Run) -> None:
    before = sorted(path.name for path in run.iterdir())
    for out in (run, run / "instance_1"):
        result = holdem("merge", run, "--out", out)
        assert result.status == 2
        assert "name another folder" in result.err
    assert sorted(path.name for path in run.iterdir()) == before, "something moved"


def test_an_instance_without_a_checkpoint_is_passed_over(run: Path, tmp_path: Path, holdem: Run) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    (copy / "instance_2").mkdir()
    result = holdem("merge", copy, "--out", tmp_path / "out")
    assert result.status == 0, result.err
    assert "merged 2 instances with 50,000 iterations" in result.out
    assert "WARNING: passed over: " in result.err
    assert "instance_2 holds no checkpoint" in result.err


@pytest.mark.parametrize(("source", "said"), [("none", "none does not exist"), (".", "holds no checkpoint")])
def test_nothing_to_merge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holdem: Run, source: str, said: str) -> None:
    monkeypatch.chdir(tmp_path)
    result = holdem("merge", source, "--out", "out")
    assert result.status == 2
    assert said in result.err
    assert not (tmp_path / "out").exists()
