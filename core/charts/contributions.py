"""Contributions: what each rank adds to the DCG, against what the ideal ranking would add."""

import altair as alt
import polars as pl

from core.charts.roles import grey_stroke, role_colour
from core.charts.style import SCORE, exactly, layered, plural

# One row per rank from 1 to k, none missing. gained: gain × discount of the run's document, 0 where there is none or
# it is unjudged. ideal: the same of the ideal ranking, 0 beyond its end. doc_id: the run's document, null where there
# is none. grade: its grade, null where it is unjudged.
CONTRIBUTIONS = pl.Schema(
    {"rank": pl.Int64, "gained": pl.Float64, "ideal": pl.Float64, "doc_id": pl.String, "grade": pl.Float64}
)

GAINED, IDEAL = "Gained", "Ideal ranking"


def contributions(frame: pl.DataFrame) -> alt.LayerChart:
    """Draw a hollow bar per rank for the ideal ranking, and in it a filled one for what the run gained.

    frame: CONTRIBUTIONS. A filled bar may be higher than the hollow one: the sums count, not the single ranks.
    """
    rows = exactly(frame, CONTRIBUTIONS).sort("rank")
    ranks = rows["rank"].to_list()
    ticks = ranks if len(ranks) <= 20 else [rank for rank in ranks if rank == 1 or rank % 10 == 0]
    scale = alt.Scale(domain=ranks, paddingInner=0.25, paddingOuter=0.15)
    x = alt.X("rank:O", axis=alt.Axis(title="Rank", labelAngle=0, values=ticks), scale=scale)
    side = alt.Axis(title="Contribution to the DCG", format="~g", tickCount=4)
    tooltip = [
        alt.Tooltip("rank:Q", title="Rank"),
        alt.Tooltip("doc_id:N", title="Document"),
        alt.Tooltip("grade:Q", title="Grade", format="~g"),
        alt.Tooltip("gained:Q", title=GAINED, format=SCORE),
        alt.Tooltip("ideal:Q", title=IDEAL, format=SCORE),
    ]
    gained = alt.Chart(rows.with_columns(kind=pl.lit(GAINED))).encode(x=x, tooltip=tooltip)
    ideal = alt.Chart(rows.with_columns(other=pl.lit(IDEAL))).encode(x=x, tooltip=tooltip)
    filled = gained.mark_bar(width=alt.RelativeBandSize(0.62))
    hollow = ideal.mark_bar(width=alt.RelativeBandSize(1), fill="transparent", strokeWidth=1.8)
    return layered(
        filled.encode(y=alt.Y("gained:Q", axis=side), color=role_colour([GAINED], roles=(GAINED,))),
        hollow.encode(y=alt.Y("ideal:Q", axis=side), stroke=grey_stroke(IDEAL, shown=True)),
        height=280,
    )


def describe_contributions(frame: pl.DataFrame) -> str:
    """Say the DCG, the ideal DCG, and the rank at which most is lost against the ideal ranking."""
    rows = exactly(frame, CONTRIBUTIONS).sort("rank")
    gained, ideal = float(rows["gained"].sum()), float(rows["ideal"].sum())
    words = f"DCG {gained:.3f} of an ideal {ideal:.3f} over {plural(rows.height, 'rank')}."
    lost = rows.with_columns(lost=pl.col("ideal") - pl.col("gained")).sort("lost", descending=True, maintain_order=True)
    if lost.height and lost["lost"][0] > 0:
        words += (
            f" Most is lost at rank {lost['rank'][0]:,}: {lost['gained'][0]:.3f} instead of {lost['ideal'][0]:.3f}."
        )
    return words
