"""Differences: what can be counted and summed from one array of per-query differences before any inference."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

TIE = 1e-9
BADLY_HURT = -0.30
# Squares of larger values overflow a double; exponential DCG on grades near 1,000 gets there.
LARGE = 1e100


def as_differences(values: npt.ArrayLike) -> Array:
    """Return the values as a flat float64 array; ValueError where one is not finite (leave null scores out)."""
    array = np.asarray(values, dtype=np.float64).ravel()
    if not np.isfinite(array).all():
        raise ValueError("a difference that is not a finite number")
    return array


@dataclass(frozen=True)
class Moments:
    """Mean, sample standard deviation (n − 1; None below two values) and biased skew (None where nothing varies).

    `sd` is exactly 0 where the values agree to 1e-9, so that rounding is not taken for spread.
    """

    n: int
    mean: float | None
    sd: float | None
    skew: float | None


def moments(d: Array) -> Moments:
    """Mean, sd and skew by exact sums: the same for any order, and sign-symmetric to the last bit.

    The skew is the biased m3 / m2^1.5 of `scipy.stats.skew`.
    """
    n = len(d)
    if n == 0:
        return Moments(0, None, None, None)
    peak = float(np.abs(d).max())
    shift = math.frexp(peak)[1] if peak > LARGE else 0
    scaled = np.ldexp(d, -shift)
    # Lists, because summing an array makes an object of every value on the way. Adding 0 turns −0 into 0.
    mean = math.fsum(scaled.tolist()) / n + 0.0
    centred = scaled - mean
    squares = math.fsum((centred**2).tolist())
    spread = math.sqrt(squares / n)
    if spread <= math.ldexp(TIE, -shift) or spread <= 1e-12 * math.ldexp(peak, -shift):
        return Moments(n, math.ldexp(mean, shift), 0.0 if n > 1 else None, None)
    # Multiplied out: NumPy's power may differ in the last bit with the place in the array and with the sign.
    skew = math.fsum((centred * centred * centred).tolist()) / n / (squares / n) ** 1.5
    return Moments(n, math.ldexp(mean, shift), math.ldexp(math.sqrt(squares / (n - 1)), shift), skew)


@dataclass(frozen=True)
class Outcomes:
    """How many queries got better, stayed the same (|d| ≤ 1e-9) and got worse."""

    wins: int
    ties: int
    losses: int

    @property
    def changed(self) -> int:
        """Wins and losses together."""
        return self.wins + self.losses


def outcomes(d: Array) -> Outcomes:
    """Count wins, ties and losses."""
    wins, losses = int((d > TIE).sum()), int((d < -TIE).sum())
    return Outcomes(wins, len(d) - wins - losses, losses)


@dataclass(frozen=True)
class Largest:
    """The query with the largest |d|: its place in the array (the first of several) and its share of Σ|d|, 0 to 1."""

    index: int
    share: float


def largest(d: Array) -> Largest | None:
    """The query that holds most of the change; None where nothing changed."""
    if outcomes(d).changed == 0:
        return None
    sizes = np.abs(d)
    index = int(sizes.argmax())
    return Largest(index, 1.0 / math.fsum((sizes / sizes[index]).tolist()))


def leave_one_out(d: Array) -> tuple[float, float] | None:
    """Lowest and highest mean that remain when any one query is left out; None below two queries."""
    if len(d) < 2:
        return None
    scale = 1.0 / (len(d) - 1)
    # Scaled before summing, so that large values do not overflow.
    total = math.fsum((d * scale).tolist())
    return total - float(d.max()) * scale, total - float(d.min()) * scale


def badly_hurt(d: Array) -> int:
    """How many queries lost 0.30 or more; 0.4 − 0.7 counts although it is a hair above −0.30 in binary."""
    return int((d <= BADLY_HURT + TIE).sum())


def effect_size(d: Array) -> float | None:
    """The standardised difference dz = mean / sd; None where nothing varies or there is one query."""
    found = moments(d)
    return found.mean / found.sd if found.mean is not None and found.sd else None


def hedges_g(d: Array) -> float | None:
    """dz with the small-sample correction J = 1 − 3 / (4(n − 1) − 1) (Hedges 1981); None where dz is, or at n = 1."""
    dz = effect_size(d)
    return None if dz is None else dz * (1 - 3 / (4 * (len(d) - 1) - 1))
