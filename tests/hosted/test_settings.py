"""Settings: what the variables of a host mean, and a sentence where one does not hold what it should."""

import tomllib

import pytest

from core.errors import InputError
from core.model.limits import HOSTED, MB
from pages.hosted.settings import LOOPBACK, apply, read
from tests.conftest import REPOSITORY


def test_where_nothing_is_said_only_this_machine_is_answered() -> None:
    now = read({})
    assert (now.origin, now.base, now.https, now.frames, now.proxies) == (None, "", False, (), 0)
    assert now.hosts == LOOPBACK


@pytest.mark.parametrize(
    ("address", "origin", "base", "https"),
    [
        ("https://eval.example", "https://eval.example", "", True),
        ("https://Eval.Example/", "https://eval.example", "", True),
        ("https://eval.example:8443/team/ranklens/", "https://eval.example:8443", "/team/ranklens", True),
        ("http://10.1.2.3:8501/x", "http://10.1.2.3:8501", "/x", False),
    ],
)
def test_an_address_gives_the_name_the_path_and_whether_it_is_https(
    address: str, origin: str, base: str, https: bool
) -> None:
    now = read({"RANKLENS_ADDRESS": address})
    assert (now.origin, now.base, now.https) == (origin, base, https)
    assert origin.partition("//")[2].partition(":")[0] in now.hosts


@pytest.mark.parametrize(
    "variables",
    [
        {"RANKLENS_ADDRESS": "eval.example"},
        {"RANKLENS_ADDRESS": "ftp://eval.example"},
        {"RANKLENS_ADDRESS": "https://user:secret@eval.example"},
        {"RANKLENS_ADDRESS": "https://eval.example?x=1"},
        {"RANKLENS_ADDRESS": "https://eval.example:port"},
        {"RANKLENS_ADDRESS": "https://eval.example/a b"},
        {"RANKLENS_ADDRESS": "https://eval.example/../x"},
        {"RANKLENS_HOSTS": "https://eval.example"},
        {"RANKLENS_HOSTS": "eval.example:8443"},
        {"RANKLENS_HOSTS": "*.eval.example"},
        {"RANKLENS_FRAMES": "portal.example"},
        {"RANKLENS_FRAMES": "https://portal.example/path"},
        {"RANKLENS_FRAMES": "https://portal.example;script-src"},
        {"RANKLENS_FRAMES": "https://x\r\ny"},
        {"RANKLENS_PROXIES": "many"},
        {"RANKLENS_PROXIES": "-1"},
    ],
)
def test_a_variable_that_does_not_hold_what_it_should_is_named_with_a_way_out(variables: dict[str, str]) -> None:
    with pytest.raises(InputError) as refused:
        read(variables)
    (problem,) = refused.value.problems
    assert problem.file in variables
    assert problem.hint
    assert "secret" not in str(refused.value)


def test_a_variable_of_streamlit_that_does_not_hold_what_it_should_is_named_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("STREAMLIT_SERVER_MAX_UPLOAD_SIZE", "plenty")
    with pytest.raises(InputError) as refused:
        apply()
    assert refused.value.problems[0].file == "STREAMLIT_SERVER_MAX_UPLOAD_SIZE"


def test_names_may_be_separated_as_people_do() -> None:
    assert read({"RANKLENS_HOSTS": " a.example,B.example  c.example,[::2] "}).hosts[3:] == (
        "a.example", "b.example", "c.example", "::2",
    )  # fmt: skip


def test_a_space_knows_its_address_by_itself_unless_another_is_said() -> None:
    now = read({"SPACE_HOST": "team-ranklens.hf.example"})
    assert (now.origin, now.https) == ("https://team-ranklens.hf.example", True)
    other = read({"SPACE_HOST": "team-ranklens.hf.example", "RANKLENS_ADDRESS": "https://eval.example"})
    assert other.origin == "https://eval.example"
    assert {"team-ranklens.hf.example", "eval.example"} <= set(other.hosts)


def test_streamlit_is_told_to_show_no_details_and_to_let_no_other_page_in() -> None:
    told = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert told["client"]["showErrorDetails"] == "none"
    assert (told["server"]["enableCORS"], told["server"]["enableXsrfProtection"]) == (True, True)
    assert (told["server"]["address"], told["browser"]["gatherUsageStats"]) == ("localhost", False)
    assert told["server"]["maxUploadSize"] * MB == HOSTED.packed
