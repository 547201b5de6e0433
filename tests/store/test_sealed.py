import pytest

from core.errors import InputError
from core.store import seal, unseal

DOCUMENT = {"schema": 1, "text": "Ω “x” \u2028", "number": 0.1 + 0.2, "null": None, "list": [1, -0.0, "a"]}


def test_a_document_comes_back_as_it_was_to_the_last_digit() -> None:
    assert unseal(seal(DOCUMENT), schema=1, what="it") == DOCUMENT
    assert seal(dict(reversed(list(DOCUMENT.items())))) == seal(DOCUMENT)
    assert len(seal(DOCUMENT).splitlines()) == 2


def test_any_changed_bit_and_any_cut_is_found() -> None:
    data = seal(DOCUMENT)
    for at in range(len(data)):
        for bit in (1, 64):
            with pytest.raises(InputError, match="it: is damaged: it is not as it was written"):
                unseal(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :], schema=1, what="it")
        with pytest.raises(InputError, match="is damaged"):
            unseal(data[:at], schema=1, what="it")


def test_a_later_schema_is_told_and_an_older_one_opens() -> None:
    with pytest.raises(InputError, match=r"was written by a later version of Ranklens \(schema 2\)") as caught:
        unseal(seal({"schema": 2}), schema=1, what="it")
    assert caught.value.problems[0].hint == "update Ranklens"
    assert unseal(seal({"schema": 1}), schema=2, what="it") == {"schema": 1}


@pytest.mark.parametrize("document", [{}, {"schema": None}, {"schema": "x"}])
def test_what_is_sealed_and_no_document_of_ours_is_told(document: dict[str, object]) -> None:
    with pytest.raises(InputError, match="is not a document of Ranklens"):
        unseal(seal(document), schema=1, what="it")


def test_a_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        seal({"schema": 1, "x": float("nan")})
