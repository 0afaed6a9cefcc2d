"""docs/settings.md is what its generator writes, and the generator says what a reader needs."""

from docs.make_settings import PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it again with: python -m docs.make_settings"


def test_a_setting_has_its_flags_bounds_and_default() -> None:
    rows = {row.split("|")[1].strip(): row for row in page().splitlines() if row.startswith("| `")}
    assert "| `--iters`, `--num-iterations` | whole number, ≥ 1 | none |" in rows["`num_iterations`"]
    assert "`--no-enable-pruning`" in rows["`enable_pruning`"]
    assert "| `fast` or `strong` | `fast` |" in rows["`preset`"]
    assert "| list: whole number | `[0, 3, 4, 5]` |" in rows["`board_cards`"]
    assert "must be given" in rows["`port`"]
