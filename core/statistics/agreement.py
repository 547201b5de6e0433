"""Agreement: how alike two orders of the same systems are."""

import math

import numpy as np
import numpy.typing as npt


def kendall_tau(x: npt.ArrayLike, y: npt.ArrayLike) -> float | None:
    """Kendall's tau-b of two score lists, −1 to 1, ties allowed for (Kendall 1945); None where one list is all ties."""
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    agree = untied_first = untied_second = 0
    for at in range(1, len(first)):
        signs, other = np.sign(first[at] - first[:at]), np.sign(second[at] - second[:at])
        agree += int((signs * other).sum())
        untied_first += int(np.abs(signs).sum())
        untied_second += int(np.abs(other).sum())
    return agree / math.sqrt(untied_first * untied_second) if untied_first and untied_second else None


def tau_ap(reference: npt.ArrayLike, other: npt.ArrayLike) -> float | None:
    """AP correlation of `other` with the reference order, −1 to 1: disagreement at the top weighs most.

    Both are scores, higher is better. Tied items count half, the mean over their orders. None below two items.
    Source: Yilmaz, Aslam & Robertson 2008.
    """
    truth, scores = np.asarray(reference, dtype=np.float64), np.asarray(other, dtype=np.float64)
    n = len(truth)
    if n < 2:
        return None
    total = 0.0
    for score in np.unique(scores):
        group, above = np.flatnonzero(scores == score), np.flatnonzero(scores > score)
        right = np.sign(truth[above][:, None] - truth[group][None, :]).sum() / 2 + above.size * group.size / 2
        # Under a random order of the group, its members above an item are rightly above it half of the time.
        for place in range(group.size):
            if position := above.size + place:
                total += (right / group.size + place / 2) / position
    return float(2 * total / (n - 1) - 1)
