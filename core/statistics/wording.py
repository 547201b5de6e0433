"""Wording: numbers as people read them in a sentence."""

DECIMALS = 3
MOST_DECIMALS = 9


def decimals_for(value: float) -> int:
    """Three decimals, or as many as a smaller value needs to show that it is not 0; below 1e-9 it is as good as 0."""
    shown = (decimals for decimals in range(DECIMALS, MOST_DECIMALS + 1) if round(value, decimals) != 0)
    return next(shown, DECIMALS)


def plain(value: float, decimals: int = DECIMALS) -> str:
    """`0.041`, `−0.041`, `1,204.500`; what rounds to 0 has no sign."""
    text = f"{abs(value):,.{decimals}f}"
    return f"−{text}" if value < 0 and float(text.replace(",", "")) else text


def signed(value: float, decimals: int = DECIMALS) -> str:
    """`+0.041`, `−0.041`; what rounds to 0 has no sign."""
    text = plain(value, decimals)
    return f"+{text}" if value > 0 and float(text.replace(",", "")) else text


def about(value: float) -> str:
    """A rough size: two decimals from 0.05 on, three or more below: `0.06`, `0.031`."""
    return f"{value:,.2f}" if value >= 0.05 else f"{value:.{decimals_for(value)}f}"


def exact(value: float) -> str:
    """A number that a person chose, such as a margin, without trailing zeros: `0.02`."""
    return f"{value:.10f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """`31 %`."""
    return f"{share * 100:.0f} %"


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 query`, `1,200 queries`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def queries(count: int) -> str:
    """`1 query`, `1,200 queries`."""
    return counted(count, "query", "queries")
