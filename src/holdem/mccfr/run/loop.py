"""The life of a run: advance, save when due, show, stop; whatever ends it, what is on disk is whole."""

import time
from contextlib import suppress

from holdem.errors import ArtifactError, RunFailed
from holdem.mccfr.run.checkpoint import newest_valid
from holdem.mccfr.run.display import RunDisplay
from holdem.mccfr.run.engine import Engine
from holdem.mccfr.run.saver import RunSaver
from holdem.mccfr.run.spec import Run, Summary
from holdem.mccfr.run.telemetry import look_at
from holdem.policy.policy import untrained_by_street
from holdem.types import STREET_NAMES
from holdem.util.artifacts import write_json
from holdem.util.logs import LOGGER
from holdem.util.signals import StopSignals
from holdem.util.words import shell_command

STEP_SECONDS = 0.2


class TrainingLoop:
    """`TrainingLoop(run, engine, stop).train()` trains until the budget or a signal ends the run."""

    def __init__(self, run: Run, engine: Engine, stop: StopSignals) -> None:
        self.run, self.engine, self.stop = run, engine, stop
        self.seconds, self.start_seconds, self.start_iteration = run.clock.seconds, run.clock.seconds, engine.iteration
        self.saver = RunSaver(run, engine)
        self.display = RunDisplay(run, engine)

    def train(self) -> Summary:
        """Run, save the end, and say how it ended."""
        reason, companion = "failed", self.run.companion
        try:
            with self.display.line:
                if companion is not None:
                    companion.before_start(self.engine, self.stop)
                reason = self._advance_and_save_a_failure()
                if companion is not None:
                    companion.before_end(self.engine, reason, self.stop)
                self._save_end(reason)
        except OSError as error:
            raise RunFailed(
                f"{self.run.directory.path} cannot be written ({error.strerror or error}); "
                f"make room and {self._way_on()}"
            ) from error
        finally:
            self.display.close()
            summary = self._summary(reason)
            self._write_summary(summary)
            self.display.end(reason, self.seconds)
        return summary

    def _way_on(self) -> str:
        """What to do after a disk failed: only a checkpoint that is there and whole is worth naming."""
        for place in (self.run.directory.path, self.run.source):
            with suppress(ArtifactError):
                if place is not None and newest_valid(place):
                    return f"go on with {shell_command('--resume-from', place)}"
        return "start again: no checkpoint had been saved"

    def _advance_and_save_a_failure(self) -> str:
        """Advance; if the engine fails, what it has done so far is saved all the same."""
        try:
            return self._advance_until_the_end()
        except RunFailed:
            self._save_end("failed")
            raise

    def _advance_until_the_end(self) -> str:
        """Step after step; why the last one was the last."""
        while self.stop.received is None:
            if self.run.budget.is_used_up(self.engine.iteration, self.seconds):
                return "completed"
            self._step()
            if self.run.companion is not None:
                self.run.companion.after_step(self.engine, self.seconds, self.stop)
            self.saver.save_if_due(self.seconds)
            self.display.show(self.seconds, self.saver.last_checkpoint)
        return "interrupted" if self.stop.received.name == "SIGINT" else "terminated"

    def _step(self) -> None:
        budget = self.run.budget
        left = STEP_SECONDS if budget.seconds is None else budget.seconds - self.seconds
        before, first, start = self.seconds, self.engine.iteration, time.perf_counter()
        self.engine.advance(self.saver.next_stop(before), min(STEP_SECONDS, max(left, 1e-3)))
        self.seconds += time.perf_counter() - start
        self.saver.note_step(first, before, self.seconds)

    def _save_end(self, reason: str) -> None:
        self.display.line.say("saving")
        self.saver.save_end(reason, self.seconds)
        self.display.look(self.seconds)

    def _summary(self, reason: str) -> Summary:
        session = max(self.seconds - self.start_seconds, 1e-9)
        return Summary(
            iterations=self.engine.iteration,
            seconds=round(self.seconds, 3),
            iterations_per_second=round((self.engine.iteration - self.start_iteration) / session, 1),
            nodes_per_second=round(self.engine.statistics.nodes / session, 1),
            workers=self.engine.workers,
            peak_memory_bytes=self.display.memory.peak(),
            infosets_touched=look_at(self.engine.tracker).infosets_touched,
            untrained_rows=self._untrained_rows(),
            exit_reason=reason,
        )

    def _untrained_rows(self) -> dict[str, int]:
        """By the name of the street; streets without decisions are left out."""
        game = self.run.game
        counts = untrained_by_street(game.tree, game.buckets_per_street, self.engine.tracker.table)
        decisions = game.tree.counts.decisions.sum(axis=1)
        return {STREET_NAMES[street]: count for street, count in enumerate(counts) if decisions[street]}

    def _write_summary(self, summary: Summary) -> None:
        try:
            write_json(self.run.directory.summary, summary.__dict__)
        except OSError as error:
            LOGGER.error(f"{self.run.directory.summary} cannot be written ({error.strerror or error})")
