"""A table where a person sits: who else is there, under which rules, and how it is opened.

`holdem play` opens one, `holdem serve` one for every page that is open.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from holdem.blueprint.agent import BlueprintAgent
from holdem.errors import ConfigError
from holdem.game.agent import Agent
from holdem.game.presets import PRESET_BY_PLAYERS, load_preset
from holdem.policy.run_names import TRAIN_COMMAND
from holdem.table.advice.advisor import Advisor
from holdem.table.advice.open_advisor import open_bot, patient, trained_game
from holdem.table.history.observed_hand import SeatObserver
from holdem.table.profiles.open_table import check_profile, make_local_table, renamed, seated
from holdem.table.profiles.profiles import TableProfile, game_of, stacks_by_seat, translation_words
from holdem.table.session.hurried import Hurried
from holdem.table.session.leave_signals import LeaveSignals
from holdem.table.session.local_table import LocalTable
from holdem.types import GameConfig, SearchConfig
from holdem.util.words import shell_command


@dataclass(frozen=True)
class PersonTable:
    """What is known of a table before anybody sits down."""

    profile: TableProfile
    game: GameConfig
    search: SearchConfig | None
    policy: Path | None
    """The blueprint that tells what the bot would do; None without one."""
    may_wait: bool = False
    """Whether bots begin with their blueprints while search is compiled."""
    named_search: SearchConfig | None = None
    """Of opponents whose names say that they search, where that is not the table's."""

    @property
    def hero_seat(self) -> int:
        """Where the person sits."""
        return self.profile.hero_seat

    @contextmanager
    def advisor(self) -> Iterator[Advisor | None]:
        """Who tells what to do in the person's place: where the bots search, a search that has more time."""
        if self.policy is None:
            yield None
            return
        with open_bot(self.policy, patient(self.search), may_wait=self.may_wait, advises=True) as (_, advisor):
            yield advisor

    def translation_words(self) -> str:
        """A sentence about a table that is not what the blueprint was trained for; empty if it is."""
        if self.policy is None:
            return ""
        return translation_words(self.game, trained_game(self.policy), stacks_by_seat(self.profile, self.game))

    def blueprint(self) -> BlueprintAgent | None:
        """Whose strategy says what others may hold; it shares the arrays of all agents of its policy."""
        return None if self.policy is None else BlueprintAgent.open(self.policy, name="blueprint")

    @contextmanager
    def seat(
        self,
        person: Agent,
        leave: LeaveSignals,
        observers: Sequence[SeatObserver],
        seed: int | None = None,
        gone: Callable[[], bool] = lambda: False,
    ) -> Iterator[LocalTable]:
        """The table with everybody in their seats, and observers beside the person; `gone`: nobody is there to wait."""
        search = self.named_search or self.search
        with seated(self.profile, self.game, person, search, self.may_wait) as players:
            hurried = [player if player is person else Hurried(player, gone) for player in players]
            table = make_local_table(self.profile, self.game, renamed(hurried, self.hero_seat, "bot"), leave, seed)
            for observer in observers:
                table.add_observer(self.hero_seat, observer)
            yield table


def plan_table(
    policy: Path | None,
    opponent: str | None,
    profile: TableProfile | None,
    search: SearchConfig | None,
    may_wait: bool = False,
    seats: int | None = None,
) -> PersonTable:
    """The table that the options ask for; refused at once where something is missing.

    Without a profile the bot sits everywhere else; without a blueprint there is only a baseline to play. `seats` that
    are left out are those of the profile or of the blueprint.
    """
    if policy is None and opponent is None:
        raise ConfigError(f"there is nobody to play; name an opponent, or train a blueprint: {TRAIN_COMMAND}")
    trained = _usual_game(profile, seats) if policy is None else trained_game(policy)
    if trained.variant != "holdem":
        raise ConfigError(
            f"{policy} is a policy of {trained.name}, which is not played at a hold'em table; "
            f"look into it with: {shell_command('holdem', 'show', policy)}"
        )
    if opponent or profile is None:
        spec = opponent or (f"search:{policy}" if search else str(policy))
        profile = (profile or TableProfile(name="")).model_copy(update={"opponents": (spec,)})
    if seats is not None:
        profile = profile.model_copy(update={"seats": seats})
    game = game_of(profile, trained)
    check_profile(profile, trained)
    return PersonTable(profile, game, search, policy, may_wait)


def _usual_game(profile: TableProfile | None, seats: int | None) -> GameConfig:
    """The preset of a table without a blueprint."""
    of_profile = None if profile is None else profile.seats
    return load_preset(PRESET_BY_PLAYERS[seats or of_profile or 2])
