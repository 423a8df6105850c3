"""``best`` and ``needed``: questions of choice, answered exactly."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mathhammer.cli.files import check_places, json_of, write_text
from mathhammer.cli.scenario_file import read_scenario

if TYPE_CHECKING:
    from mathhammer.choosing import BestPlay
    from mathhammer.scenario import Scenario

__all__ = ["best", "needed"]

_Phase = Annotated[str | None, typer.Option("--phase", help="shooting or fight, over that of the file.")]
_Json = Annotated[str | None, typer.Option("--json", metavar="-|FILE", help="Write the answer as JSON.")]


def best(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scenario file (TOML).")],
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            help="wounds_lost, models_destroyed, unit_destroyed or points_destroyed; default that of the file.",
        ),
    ] = None,
    phase: _Phase = None,
    json: _Json = None,
) -> None:
    """The best choices of both players, and what each of the others costs."""
    check_places(json=json)
    scenario = read_scenario(file, phase)
    answers = [question(scenario, metric) for question in _questions(scenario)]
    _deliver([answer.to_dict() for answer in answers], json, "\n\n".join(map(str, answers)))


def _questions(scenario: Scenario) -> list[Callable[[Scenario, str | None], BestPlay]]:
    """The questions that this scenario leaves open: where there is one way to choose there is none."""
    from mathhammer import choosing as play
    from mathhammer.choosing.variants import full_rerolls, modes_of, playable
    from mathhammer.plan import make_plan

    plan = make_plan(playable(scenario))
    several_groups = len(plan.target.groups) > 1
    several_batches = any(len(batches) > 1 for attack in plan.attacks for batches in attack.schedule[0])
    rolls = [roll for batch in plan.batches for roll in batch.rolls]
    abilities = {ability.NAME for roll in rolls for ability in roll.abilities}
    fishes = any(full_rerolls(scenario, place) for place in range(len(plan.attacks)))
    asked: list[tuple[bool, Callable[[Scenario, str | None], BestPlay]]] = [
        (several_groups, play.best_allocation),
        (several_batches, play.best_batch_order),
        (several_groups and several_batches and len(plan.attacks) == 1, play.best_play),
        ("PRECISION" in abilities and any(plan.target.character), play.best_precision),
        ("LETHAL HITS" in abilities, play.best_lethal_hits),
        (fishes, play.best_rerolls),
        (bool(modes_of(scenario)), play.best_modes),
    ]
    found = [question for open_question, question in asked if open_question]
    return found or [play.best_allocation]


def needed(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A scenario file (TOML).")],
    weapon: Annotated[str, typer.Option("--weapon", help="The weapon to count.")],
    probability: Annotated[float, typer.Option("--probability", help="To reach, such as 0.8.")] = 0.8,
    goal: Annotated[
        str, typer.Option("--goal", help="unit_destroyed, models_destroyed>=N or wounds_lost>=N.")
    ] = "unit_destroyed",
    most: Annotated[int, typer.Option("--most", help="The largest count to try.")] = 100,
    phase: _Phase = None,
    json: _Json = None,
) -> None:
    """How many of a weapon reach a goal with a probability."""
    from mathhammer.counting import needed as count_needed

    check_places(json=json)
    answer = count_needed(read_scenario(file, phase), weapon, probability, goal, most)
    _deliver(answer.to_dict(), json, str(answer))


def _deliver(answer: Any, json: str | None, text: str) -> None:
    if json is not None:
        write_text("--json", json, json_of(answer, json))
    if json != "-":
        sys.stdout.write(text + "\n")
