"""A scenario as numbers: what makes one batch, who attacks when, what is said about it."""

from __future__ import annotations

from typing import Any

import pytest

import mathhammer as mh
from mathhammer.dice import Dice
from mathhammer.plan import Plan, make_plan
from mathhammer.plan.damage import Damage, expected_loss
from mathhammer.sides import PSYCHIC

GUARDS = ["5x Guard: T4 Sv3+ W2"]
LED = [*GUARDS, "Captain: T4 Sv2+ W5 [CHARACTER]"]
RIFLE = "5x Rifle: A2 BS3+ S4 AP-1 D1"
AXE = "3x Axe: Melee A3 WS3+ S4 AP-1 D1"


def planned(weapons: list[Any] | None = None, models: Any = GUARDS, own: Any = None, **more: Any) -> Plan:
    attacker = more.pop("attacker", {"name": "Squad", "weapons": weapons or [RIFLE], **(own or {})})
    target = {"name": "Target", "models": models, **more.pop("target", {})}
    return make_plan(mh.Scenario.from_dict({"attacker": attacker, "target": target, **more}))


HALF, BRACED = {"conditions": {"half_range": True}}, {"conditions": {"braced": True}}
BETTER = {"modifiers": {"hit_roll": 1}}
SEPARATES = [
    ("PISTOL", {}, False),
    ("ASSAULT", {}, False),
    ("PSYCHIC", {}, True),
    ("TORRENT", {}, True),
    ("SUSTAINED HITS 1", {}, True),
    ("LETHAL HITS", {"choices": {"lethal_hits": "never"}}, True),
    ("DEVASTATING WOUNDS", {}, True),
    ("TWIN-LINKED", {"modifiers": {"reroll_wounds": "any"}}, True),
    ("ANTI-VEHICLE 4+", {}, False),
    ("ANTI-VEHICLE 6+", {"target": {"keywords": ["VEHICLE"]}}, True),
    ("LANCE", {}, False),
    ("LANCE", {"conditions": {"charged": True}, "modifiers": {"wound_roll": 1}}, True),
    ("HEAVY", {}, False),
    ("HEAVY", BRACED | BETTER, True),
    ("HEAVY", {"conditions": {"braced": True, "engaged": True}} | BETTER, False),
    ("RAPID FIRE 1", {}, False),
    ("RAPID FIRE 1", HALF, True),
    ("BLAST", {}, True),
    ("BLAST", {"models": ["4x Guard: T4 Sv3+ W2"]}, False),
    ("CLEAVE 1", {}, True),
    ("CLEAVE 1", {"conditions": {"split_attacks": True}}, False),
    ("MELTA 2", {}, False),
    ("MELTA 2", HALF, True),
    ("IGNORES COVER", {}, False),
    ("IGNORES COVER", {"conditions": {"cover": True, "plunging_fire": True}, "modifiers": {"skill": 3}}, True),
    ("INDIRECT FIRE", {}, False),
    ("INDIRECT FIRE", {"conditions": {"shooting": "indirect"}, "modifiers": {"skill": -3}}, True),
    ("PRECISION", {}, False),
    ("PRECISION", {"models": LED}, True),
    ("PRECISION", {"models": LED, "conditions": {"characters_visible": False}}, False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("ability", "more", "separates"), SEPARATES, ids=[f"{name} {more}" for name, more, _ in SEPARATES]
)
def test_an_ability_separates_weapons_when_it_can_apply(
    ability: str, more: dict[str, Any], separates: bool
) -> None:
    skill = "" if ability == "TORRENT" else "BS3+ "
    weapons = [RIFLE, f"2x Other: A2 {skill}S4 AP-1 D1 [{ability}]"]
    assert len(planned(weapons, **more).batches) == 1 + separates


class TestWeapons:
    def test_each_phase_has_its_weapons(self) -> None:
        both = [RIFLE, AXE]
        assert [batch.name for batch in planned(both, conditions={"phase": "shooting"}).batches] == ["Rifle"]
        assert [batch.name for batch in planned(both, conditions={"phase": "fight"}).batches] == ["Axe"]

    def test_a_batch_is_named_after_all_its_weapons_once(self) -> None:
        (batch,) = planned([RIFLE, RIFLE.replace("Rifle", "Carbine").replace("A2", "A3"), RIFLE]).batches
        assert (batch.name, batch.count) == ("Rifle + Carbine", 15)

    @pytest.mark.parametrize("keywords", [[], ["CHARACTER"]])
    def test_later_units_gather_by_who_still_lives(self, keywords: list[str]) -> None:
        """With the CHARACTER gone PRECISION cannot apply, and the weapons are one batch."""
        weapons = [RIFLE, "2x Sniper: A2 BS3+ S4 AP-1 D1 [PRECISION]"]
        units = [{"name": name, "weapons": weapons} for name in ("First", "Second")]
        plan = planned(attacker=units, models=LED, target={"keywords": keywords})
        led, leaderless = (
            next(i for i, look in enumerate(plan.looks) if look.character is is_led)
            for is_led in (True, False)
        )
        names = [
            [plan.batches[b].name for b in plan.attacks[1].schedule[look][1]] for look in (led, leaderless)
        ]
        assert names == [["Rifle", "Sniper"], ["Rifle + Sniper"]]
        # The first unit attacks the whole target: what cannot come about is not gathered.
        assert len({attack for pair in plan.attacks[0].schedule for attack in pair}) == 1

    def test_later_units_gather_by_whether_five_models_live(self) -> None:
        weapons = [RIFLE, "2x Mortar: A2 BS3+ S4 AP-1 D1 [BLAST]"]
        units = [{"name": name, "weapons": weapons} for name in ("First", "Second")]
        plan = planned(attacker=units)
        few, many = plan.attacks[1].schedule[0]
        assert [plan.batches[b].name for b in few] == ["Rifle + Mortar"]
        assert [plan.batches[b].name for b in many] == ["Rifle", "Mortar"]
        assert plan.attacks[0].schedule[0][1] == plan.attacks[0].schedule[0][0]

    def test_without_blast_and_cleave_five_models_are_as_good_as_four(self) -> None:
        units = [{"name": name, "weapons": [RIFLE]} for name in ("First", "Second")]
        few, many = planned(attacker=units).attacks[1].schedule[0]
        assert few == many

    def test_a_target_of_fewer_than_five_never_has_five(self) -> None:
        weapons = [RIFLE, "2x Mortar: A2 BS3+ S4 AP-1 D1 [BLAST]"]
        units = [{"name": name, "weapons": weapons} for name in ("First", "Second")]
        plan = planned(attacker=units, models=["4x Guard: T4 Sv3+ W2"])
        few, many = plan.attacks[1].schedule[0]
        assert few == many
        assert [plan.batches[b].name for b in few] == ["Rifle + Mortar"]


def batch_of(count: int, can: str) -> list[str]:
    """So many weapons of one kind."""
    gun = f"x Gun: A1 BS3+ S4 AP0 D1 [{can}]"
    return [f"1000{gun}"] * (count // 1000) + [f"{count % 1000}{gun}"]


class TestSize:
    def test_extra_hits_count(self) -> None:
        planned(batch_of(3000, "SUSTAINED HITS 19"))
        with pytest.raises(mh.UnsupportedScenario, match="60000 hits in a batch"):
            planned(batch_of(2069, "SUSTAINED HITS 28"))

    def test_dice_added_by_full_five_models_count(self) -> None:
        planned(batch_of(1000, "BLAST"), ["14x Guard: T4 Sv3+ W2"])
        with pytest.raises(mh.UnsupportedScenario, match="3000 attack dice"):
            planned(batch_of(1000, "BLAST"), ["15x Guard: T4 Sv3+ W2"])
        with pytest.raises(mh.UnsupportedScenario, match="3000 attack dice"):
            planned(batch_of(1000, "BLAST"), conditions={"models_at_select_targets": 15})
        half_range = {"conditions": {"half_range": True}}
        planned(batch_of(1000, "RAPID FIRE 2"), **half_range)
        with pytest.raises(mh.UnsupportedScenario, match="3000 attack dice"):
            planned(batch_of(1000, "RAPID FIRE 3"), **half_range)

    def test_no_weapon_has_less_than_one_attack(self) -> None:
        worse = {"modifiers": {"attacks": -5}}
        planned(batch_of(3000, ""), own=worse)
        with pytest.raises(mh.UnsupportedScenario, match="3000 attack dice"):
            planned(batch_of(3001, ""), own=worse)


class TestNumbers:
    def test_modifiers_beyond_the_limit_make_no_attack_different(self) -> None:
        better = [{"hit_roll": 1, "wound_roll": 1, "skill": 1}, {"hit_roll": 2, "wound_roll": 2, "skill": 2}]
        gun = {"name": "Gun", "A": 2, "BS": "3+", "S": 4, "AP": -1, "D": 1}
        (batch,) = planned([gun | {"modifiers": each} for each in better]).batches
        assert batch.count == 2

    def test_dice_added_by_fives_are_there_only_with_fives(self) -> None:
        (batch,) = planned([RIFLE.replace("5x", "1x") + " [BLAST]"]).batches
        assert [batch.attack_dice().argmax(), batch.attack_dice(fives=1).argmax()] == [2, 3]
        assert batch.by_fives
        assert not planned().batches[0].by_fives

    def test_a_row_that_counts_nothing_yet(self) -> None:
        plan = planned()
        row = plan.empty_row(plan.batches[0])
        assert list(row.values())[:3] == ["Squad", "Rifle", 5]
        assert set(list(row.values())[3:]) == {0.0}
        assert len(row) == 13

    def test_a_plan_cannot_be_changed_and_is_equal_to_itself_alone(self) -> None:
        one, other = planned(), planned()
        for part, same in (
            (one, other),
            (one.batches[0], other.batches[0]),
            (one.attacks[0], other.attacks[0]),
        ):
            assert part != same
            with pytest.raises(AttributeError):
                part.name = "another"  # type: ignore[union-attr, misc]
        assert one.batches[0].rolls == other.batches[0].rolls
        with pytest.raises(AttributeError):
            one.looks[0].toughness = 1  # type: ignore[misc]
        with pytest.raises(AttributeError):
            one.batches[0].rolls[0].ap = -2  # type: ignore[misc]
        with pytest.raises(AttributeError):
            one.batches[0].dice[0][0].weapons = 6  # type: ignore[misc]

    def test_what_all_attackers_can_lose(self) -> None:
        units = [
            {"name": "A", "weapons": [RIFLE], "models": ["3x Bearer: T4 Sv3+ W2"]},
            {"name": "B", "weapons": [RIFLE]},
            {
                "name": "C",
                "weapons": [RIFLE],
                "models": [{"name": "Hurt", "T": 4, "Sv": 3, "W": 5, "wounds_lost": 2}],
            },
        ]
        plan = planned(attacker=units)
        assert (plan.most_attacker_wounds, plan.most_attacker_models) == (9, 4)


class TestSaid:
    def test_the_order_of_two_groups(self) -> None:
        said = "allocation order: Guard, Captain (as listed, made legal before each batch)"
        assert said in planned(models=LED).assumed
        chosen = planned(models=LED, choices={"allocation_order": ["Guard", "Captain"]})
        assert said.replace("as listed", "as chosen") in chosen.assumed
        assert not any("allocation order" in word for word in planned().assumed)

    def test_the_mode_that_is_used(self) -> None:
        modes = [RIFLE.replace("Rifle", f"Plasma | {mode}") for mode in ("low", "high")]
        assert planned(modes).assumed == ('Plasma is used in its mode "low" (the first listed)',)
        assert planned(modes, choices={"modes": {"Plasma": "high"}}).assumed == ()

    def test_a_mode_of_the_other_phase_leaves_the_first_of_this_one(self) -> None:
        spear = [RIFLE.replace("Rifle", "Spear | shot"), *(AXE.replace("Axe", f"Spear | {m}") for m in "xy")]
        chosen = {"choices": {"modes": {"Spear": "y"}}}
        shot = planned(spear, conditions={"phase": "shooting"}, **chosen)
        assert [batch.name for batch in shot.batches] == ["Spear | shot"]
        how = 'the first listed here; the chosen "y" is of another unit or phase'
        assert shot.assumed == (f'Spear is used in its mode "shot" ({how})',)
        fought = planned(spear, conditions={"phase": "fight"}, **chosen)
        assert [batch.name for batch in fought.batches] == ["Spear | y"]

    def test_a_mode_of_the_other_unit_leaves_the_first_of_this_one(self) -> None:
        units = [
            {"name": name, "weapons": [RIFLE.replace("Rifle", f"Gun | {mode}") for mode in modes]}
            for name, modes in (("A", "xy"), ("B", "pq"))
        ]
        plan = planned(attacker=units, choices={"modes": {"Gun": "y"}})
        assert [batch.name for batch in plan.batches] == ["Gun | y", "Gun | p"]

    @pytest.mark.parametrize(
        ("choice", "does"), [("always", "wounds automatically"), ("never", "is declined")]
    )
    def test_what_lethal_hits_do(self, choice: str, does: str) -> None:
        lethal = [RIFLE + " [LETHAL HITS]"]
        assert (
            f"LETHAL HITS of Rifle: {does} ({choice})"
            in planned(lethal, choices={"lethal_hits": choice}).assumed
        )
        assert not any("LETHAL" in word for word in planned().assumed)

    def test_what_applies_to_the_whole_target(self) -> None:
        """LETHAL HITS and PSYCHIC against VEHICLES: said, and kept, as the attack begins."""
        models = [*GUARDS, {"name": "Car", "T": 4, "Sv": 3, "W": 5, "keywords": ["VEHICLE"]}]
        gun = RIFLE + " [LETHAL HITS: VEHICLE, PSYCHIC: VEHICLE]"
        plan = planned([gun, gun.replace("Rifle", "Other")], models, choices={"lethal_hits": "always"})
        (batch,) = plan.batches
        assert batch.rolls[0].kind == PSYCHIC
        assert "LETHAL HITS of Rifle + Other: wounds automatically (always)" in plan.assumed

    def test_hazards_without_models_to_suffer_them(self) -> None:
        hazardous = [RIFLE + " [HAZARDOUS]"]
        (missing,) = planned(hazardous).not_modelled
        assert missing.startswith("Squad: losses by its HAZARDOUS weapons")
        assert planned(hazardous, own={"models": ["5x Bearer: T4 Sv3+ W1"]}).not_modelled == ()
        assert planned().not_modelled == ()

    def test_damaged_and_no_other_ability_of_the_attacker(self) -> None:
        damaged = {"abilities": ["STEALTH", "DAMAGED 4", "DEADLY DEMISE D3", "LEADER"]}
        (missing,) = planned(own=damaged).not_modelled
        assert missing == "Squad: DAMAGED 4 (set modifiers.hit_roll to -1 while it applies)"

    def test_points_of_all_attackers_or_of_none(self) -> None:
        units = [
            {"name": name, "weapons": [RIFLE], "points": points} for name, points in (("A", 100), ("B", 50))
        ]
        assert planned(attacker=units).attacker_points == 150
        assert planned(attacker=[units[0], {"name": "C", "weapons": [RIFLE]}]).attacker_points is None


class TestLooks:
    def test_the_whole_unit_comes_first_and_every_set_of_rows_has_one(self) -> None:
        plan = planned(models=["2x Shield: T5 Sv3+ W2", *LED])
        assert plan.look_of.shape == (8,)
        assert plan.look_of[7] == 0
        assert plan.looks[0].toughness == 5
        assert not plan.look_of.flags.writeable

    def test_precision_by_a_name_in_small_letters(self) -> None:
        models = [*GUARDS, {"name": "the captain", "T": 4, "Sv": 2, "W": 5, "character": True}]
        assert planned(models=models, choices={"precision": "the captain"}).attacks[0].precision == (1,)
        assert planned(models=models, choices={"precision": "none"}).attacks[0].precision == ()


class TestLethalHits:
    """Automatic or rolled is decided against the model that would be first."""

    TWO = ("5x Guard: T4 Sv3+ W2", "Soft: T4 Sv- W5 [CHARACTER]", "Hard: T4 Sv2+ InSv2+ W5 [CHARACTER]")
    GUN = "4x Gun: A1 BS3+ S8 AP0 D3 [LETHAL HITS, DEVASTATING WOUNDS, PRECISION]"

    @pytest.mark.parametrize(("first", "taken"), [("Soft", True), ("Hard", False)])
    def test_with_precision_the_first_that_is_selected(self, first: str, taken: bool) -> None:
        ordered = sorted(self.TWO, key=lambda row: (row.endswith("]"), not row.startswith(first)))
        gun = self.GUN.replace("S8", "S4").replace(" D3", " D1")
        assert planned([gun], ordered).batches[0].rolls[0].lethal is taken

    @pytest.mark.parametrize(("first", "taken"), [("Soft", True), ("Hard", False)])
    def test_else_the_first_of_the_order(self, first: str, taken: bool) -> None:
        rows = ["3x Soft: T4 Sv- W5", "2x Middle: T4 Sv4+ W5", "3x Hard: T4 Sv2+ InSv2+ W5"]
        gun = "4x Gun: A1 BS3+ S4 AP0 D1 [LETHAL HITS, DEVASTATING WOUNDS]"
        plan = planned([gun], rows, choices={"allocation_order": [first]})
        assert plan.batches[0].rolls[0].lethal is taken

    @pytest.mark.parametrize(("save", "taken"), [(3, False), (4, True), (5, True)])
    def test_ties_are_taken(self, save: int, taken: bool) -> None:
        """Wounds on 2+, critical ones devastating: with a 4+ save both ways are worth 1/2 wound."""
        gun = "4x Gun: A1 BS3+ S8 AP0 D1 [LETHAL HITS, DEVASTATING WOUNDS]"
        assert planned([gun], [f"5x Guard: T4 Sv{save}+ W2"]).batches[0].rolls[0].lethal is taken

    def test_what_halves_damage_of_others_is_no_part_of_it(self) -> None:
        """Devastating wounds of D4 are worth 4/6 wounds to the critical hit that is rolled on, not 2/6."""
        halved = {"name": "Halved", "T": 4, "Sv": 2, "W": 6, "halve_damage": True}
        gun = "4x Gun: A1 BS3+ S8 AP0 D4 [LETHAL HITS, DEVASTATING WOUNDS]"
        assert not planned([gun], ["5x Guard: T4 Sv3+ W4", halved]).batches[0].rolls[0].lethal

    def test_only_of_what_has_them(self) -> None:
        weapons = [RIFLE, RIFLE.replace("Rifle", "Lethal") + " [LETHAL HITS]"]
        plan = planned(weapons, choices={"lethal_hits": "always"})
        assert [batch.rolls[0].lethal for batch in plan.batches] == [False, True]


class TestRolls:
    def test_toughness_is_at_least_1(self) -> None:
        gun = "Gun: A1 BS3+ S1 AP0 D1"
        roll = planned([gun], modifiers={"toughness": -5}).batches[0].rolls[0]
        assert (roll.toughness, roll.wound) == (1, (0, 0, 0, 1, 1, 2))

    def test_an_unmodified_1_never_wounds(self) -> None:
        lance = "Lance: A1 BS3+ S8 AP0 D1 [LANCE]"
        assert planned([lance], conditions={"charged": True}).batches[0].rolls[0].wound == (0, 1, 1, 1, 1, 2)

    @pytest.mark.parametrize("engaged", ["engaged", "target_engaged"])
    def test_blast_at_an_engaged_unit_says_which_weapon_and_what_to_do(self, engaged: str) -> None:
        mortar = "2x Mortar: A2 BS3+ S4 AP-1 D1 [BLAST]"
        with pytest.raises(mh.InvalidScenario) as caught:
            planned([RIFLE, mortar], conditions={engaged: True})
        assert str(caught.value).startswith('attacker.weapons[1].abilities = "Mortar": ')
        assert f"or conditions.{engaged} to false" in str(caught.value)
        planned([RIFLE, mortar.replace("2x", "0x")], conditions={engaged: True})

    @pytest.mark.parametrize(
        ("choices", "more"),
        [
            ({"allocation_order": "best"}, {}),
            ({"batch_order": "best"}, {}),
            ({"precision": "best"}, {}),
            ({"modes": {"Plasma": "best"}}, {}),
            ({"rerolls": "best"}, {"modifiers": {"reroll_hits": "any"}}),
        ],
    )
    def test_open_choices_are_for_those_who_can_settle_them(
        self, choices: dict[str, Any], more: dict[str, Any]
    ) -> None:
        modes = [RIFLE.replace("Rifle", f"Plasma | {mode}") for mode in ("low", "high")]
        with pytest.raises(mh.UnsupportedScenario, match="must be settled first"):
            planned(modes, LED, choices=choices, **more)

    @pytest.mark.parametrize("policy", [None, "ones", "failures", "noncritical", "one"])
    def test_only_a_full_re_roll_leaves_a_choice(self, policy: str | None) -> None:
        planned(choices={"rerolls": "best"}, modifiers={"reroll_hits": policy})


class TestExpectedLoss:
    def test_what_exceeds_the_model_is_lost(self) -> None:
        assert expected_loss((0.0, 0.0, 0.25, 0.75), wounds=2, pain=7) == pytest.approx(2)
        assert expected_loss((0.5, 0.25, 0.0, 0.25), wounds=2, pain=7) == pytest.approx(0.25 + 0.5)

    def test_feel_no_pain_is_rolled_for_each_wound(self) -> None:
        assert expected_loss((0.0, 0.0, 1.0), wounds=3, pain=5) == pytest.approx(2 * 4 / 6)
        assert expected_loss((0.0, 0.0, 1.0), wounds=1, pain=5) == pytest.approx(1 - (2 / 6) ** 2)


class TestDamage:
    """D as rolled, re-rolled and modified."""

    def test_a_die_of_1_is_rolled_again(self) -> None:
        chances = Damage(Dice.parse("D3+1")).distribution("ones")
        assert chances == pytest.approx((0, 0, 1 / 9, 4 / 9, 4 / 9))
        two = Damage(Dice.parse("2D3")).distribution("ones")
        assert two == pytest.approx((0, 0, 1 / 81, 8 / 81, 24 / 81, 32 / 81, 16 / 81))

    def test_below_its_mean_it_is_rolled_again(self) -> None:
        assert Damage(Dice.parse("D3")).distribution("below_mean") == pytest.approx((0, 1 / 9, 4 / 9, 4 / 9))

    @pytest.mark.parametrize("policy", [None, "ones", "below_mean", "one"])
    def test_a_fixed_damage_is_no_roll(self, policy: str) -> None:
        assert Damage(Dice.parse("1")).distribution(policy) == (0.0, 1.0)

    def test_a_single_re_roll_is_spent_on_what_is_below_the_mean(self) -> None:
        kept, spent = Damage(Dice.parse("D3")).after_one()
        assert kept == pytest.approx((0, 0, 1 / 3, 1 / 3))
        assert spent == pytest.approx((0, 1 / 9, 1 / 9, 1 / 9))

    @pytest.mark.parametrize(
        ("dice", "chances"), [("D6-2", [0, 15, 7, 7, 7]), ("D3-2", [0, 36]), ("D3-4", [0, 36])]
    )
    def test_a_printed_minus_never_takes_it_below_1(self, dice: str, chances: list[int]) -> None:
        found = Damage(Dice.parse(dice)).distribution("ones")
        assert found == pytest.approx([chance / 36 for chance in chances])

    def test_modified_in_the_order_of_the_rules(self) -> None:
        changed = Damage(Dice.parse("D6"), add=2, subtract=1, halve=True).distribution(None)
        # (roll + 2) / 2 - 1, rounded up: 1, 1, 2, 2, 3, 3.
        assert changed == pytest.approx((0, 1 / 3, 1 / 3, 1 / 3))
        assert Damage(Dice.parse("D6"), add=2, becomes=1).distribution(None) == pytest.approx((0, 0, 0, 1))
        assert Damage(Dice.parse("D6"), add=2, becomes=0).distribution(None) == pytest.approx((1,))
