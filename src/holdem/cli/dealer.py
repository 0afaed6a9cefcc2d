"""`holdem dealer`: a dealer of the ACPC protocol, for matches between any programs that speak it."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from holdem.cli.app import run_command
from holdem.errors import ConfigError
from holdem.table.acpc.dealer import MatchDealer, TimeLimits
from holdem.table.acpc.game_definition import load_definition
from holdem.util.logs import start_logging
from holdem.util.progress import ProgressBar
from holdem.util.words import counted


def command(
    game: Annotated[
        str, typer.Option(help="A standard game, a .game file, a preset or a YAML file.")
    ] = "holdem.nolimit.2p.reverse_blinds",
    hands: Annotated[int, typer.Option(min=1, help="Hands to play; with --duplicate in whole deals.")] = 1000,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every deal once for each rotation of the seats.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Of the cards; they are the C dealer's.")] = 0,
    names: Annotated[str, typer.Option(help="Names by seat, with commas: Alice,Bob.")] = "",
    ports: Annotated[str, typer.Option(help="Ports by seat, with commas; left out: any free ones.")] = "",
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
    log: Annotated[Path | None, typer.Option(help="A new file for a line a hand, as the C dealer writes.")] = None,
    fixed_seats: Annotated[bool, typer.Option("--fixed-seats", help="Nobody moves: the button stays.")] = False,
    response_seconds: Annotated[float, typer.Option(min=0.01, help="Longest answer.")] = 600.0,
    hand_seconds: Annotated[float, typer.Option(min=0.01, help="A player's time in one hand.")] = 600.0,
    average_hand_seconds: Annotated[float, typer.Option(min=0.001, help="A player's mean time a hand.")] = 7.0,
    start_seconds: Annotated[
        float | None, typer.Option(min=0.1, help="How long to wait for the players; left out: for ever.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every message to and from players.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines: the ports, then the score.")] = False,
) -> None:
    """Deal a match between programs that speak the ACPC protocol.

    Over TCP, 2 to 6 seats, one port each. The first line printed has the ports by seat; the match starts when every
    seat has connected. Cards, rules, log and score are those of the competition's own dealer. Chips are counted from
    the same stacks every hand.

    With --duplicate all deals are played, and then again with everybody one seat on, until everybody has held
    everybody's cards; hands are numbered through. Win rates then have 95 % intervals over deals.

    Examples:

        holdem dealer --hands 1000 --ports 18791,18792 --log match.log

        holdem acpc localhost 18791 --agent tight-aggressive

        holdem dealer --game holdem.nolimit.3p --names Alice,Bob,Carol

        holdem dealer --duplicate --hands 2000 --names Alice,Bob --json
    """
    start_logging("info")
    definition = load_definition(game)
    limits = TimeLimits(response_seconds, hand_seconds, average_hand_seconds, start_seconds)
    file = _new_log(log)
    with ExitStack() as stack:
        bars: list[ProgressBar] = []

        def count(number: int) -> None:
            if not bars:  # the clock starts with the match, not with the wait for the players
                bars.append(stack.enter_context(ProgressBar("hands", dealer.hands)))
            bars[0](1)

        dealer = MatchDealer(
            definition, hands, seed, _words(names), title=log.stem if log else "match", host=host,
            ports=_ports(ports), limits=limits, fixed_seats=fixed_seats, duplicate=duplicate, log=file,
            transcript=_print_message if verbose else None, on_hand=count,
        )  # fmt: skip
        _announce(dealer, dealer.listen(), host, as_json)
        try:
            dealer.run()
        except KeyboardInterrupt:
            typer.echo(f"# interrupted after {counted(dealer.hands_played, 'hand')}: {dealer.score().line()}", err=True)
            if duplicate:
                _print_rates(dealer)
            raise
        finally:
            if file is not None:
                file.close()
    _print_score(dealer, as_json)


def _announce(dealer: MatchDealer, ports: tuple[int, ...], host: str, as_json: bool) -> None:
    print(json.dumps({"ports": ports}) if as_json else " ".join(map(str, ports)), flush=True)
    typer.echo(dealer.first_lines(), err=True)
    for name, port in zip(dealer.names, ports, strict=True):
        typer.echo(f"# {name} plays at port {port}: holdem acpc {host} {port} --agent tight-aggressive", err=True)


def _print_score(dealer: MatchDealer, as_json: bool) -> None:
    score = dealer.score()
    if as_json:
        result = {"names": score.names, "chips": score.chips, "hands": score.hands, "seconds": dealer.seconds}
        typer.echo(json.dumps({**result, "corrected_actions": dealer.corrected, **_duplicate_figures(dealer)}))
        return
    typer.echo(score.line())
    if dealer.rotations > 1:
        _print_rates(dealer)
        return
    per_hundred = [100 * chips / score.hands / dealer.game.big_blind for chips in score.chips]
    words = ", ".join(f"{name} {rate:+.1f}" for name, rate in zip(score.names, per_hundred, strict=True))
    typer.echo(
        f"# {counted(score.hands, 'hand')} in {dealer.seconds:.1f} s; big blinds a hundred hands: {words}", err=True
    )


def _duplicate_figures(dealer: MatchDealer) -> dict[str, Any]:
    """For machines, if deals were played more than once."""
    if dealer.rotations == 1:
        return {}
    rates = dealer.win_rates()
    return {
        "method": "duplicate",
        "deals": rates[0].deals,
        "win_rates": [{"name": name, **rate.to_plain()} for name, rate in zip(dealer.names, rates, strict=True)],
    }


def _print_rates(dealer: MatchDealer) -> None:
    """Win rates over whole duplicate deals, for people."""
    rates = dealer.win_rates()
    if not rates[0].deals:
        typer.echo("# no deal was played from all seats yet, so there are no duplicate win rates", err=True)
        return
    typer.echo(
        f"# {counted(rates[0].deals, 'duplicate deal')} in {dealer.seconds:.1f} s; bb/100 with 95 % intervals:",
        err=True,
    )
    for name, rate in zip(dealer.names, rates, strict=True):
        typer.echo(f"#   {name} {rate.bb_per_100:+.1f} ± {rate.interval_bb_per_100:.1f}: {rate.verdict}", err=True)


def _print_message(text: str) -> None:
    print(text, file=sys.stderr)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",")] if text else []


def _ports(text: str) -> list[int]:
    words = _words(text)
    if not all(word.isdecimal() and int(word) < 65536 for word in words):
        raise ConfigError(f"--ports {text!r} is not a list of ports; write numbers with commas, such as 18791,18792")
    return [int(word) for word in words]


def _new_log(path: Path | None) -> TextIO | None:
    if path is None:
        return None
    try:
        return path.open("x", encoding="utf-8")
    except FileExistsError:
        raise ConfigError(f"{path} exists already; give another --log, nothing is overwritten") from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be written ({error.strerror}); give another --log") from None


if __name__ == "__main__":
    run_command(command)
