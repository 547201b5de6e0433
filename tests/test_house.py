"""Rules of the house that no linter knows, held over the files of the repository."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import core
from tests.conftest import REPOSITORY

CODE = [
    REPOSITORY / "app.py",
    REPOSITORY / "server.py",
    *sorted((REPOSITORY / "core").rglob("*.py")),
    *sorted((REPOSITORY / "pages").rglob("*.py")),
]
TESTS = sorted((REPOSITORY / "tests").rglob("*.py"))
LONGEST_FILE = 300
# Put together here, so that this file does not hold what it looks for.
HOSTS = [".".join(parts) for parts in (
    ("pypi", "org"), ("python" + "hosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("crates", "io"), ("anaconda", "org"), ("conda", "io"),
    ("jsdelivr", "net"), ("unpkg", "com"), ("googleapis", "com"), ("index" + "-url",), ("extra-index" + "-url",),
)]  # fmt: skip
MACHINE = re.compile(r"(?<![\w.$}>-])/(?:home|root|Users|work|workspace|mnt|private|var/folders)/\w")


def tracked() -> list[Path]:
    """Every file that belongs to the project."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("not a checkout: what belongs to the project is not known")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout.split("\0")
    return [path for name in names if name and (path := REPOSITORY / name).is_file()]


def texts() -> Iterator[tuple[Path, str]]:
    """The text files among them."""
    for path in tracked():
        data = path.read_bytes()
        if b"\0" not in data[:8000]:
            yield path.relative_to(REPOSITORY), data.decode("utf-8", "replace")


def named(path: Path) -> str:
    return str(path.relative_to(REPOSITORY))


def test_the_tests_run_against_the_code_beside_them() -> None:
    assert Path(core.__file__ or "").parent == REPOSITORY / "core"


def test_no_file_of_the_product_is_longer_than_300_lines() -> None:
    lines = {named(path): len(path.read_text(encoding="utf-8").splitlines()) for path in CODE}
    assert {name: count for name, count in lines.items() if count > LONGEST_FILE} == {}


def test_every_file_of_the_product_says_what_it_is_in_one_sentence() -> None:
    without = [
        named(path)
        for path in CODE
        if path.stat().st_size and not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert without == []


@pytest.mark.parametrize("path", [path for path in CODE if path.stat().st_size], ids=named)
def test_no_error_is_swallowed_nothing_is_unpickled_no_markup_is_let_through(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        where = f"{named(path)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            assert not re.search(r"\b(everything|Exception|BaseException)\b", caught), f"{where} catches {caught}"
        if isinstance(node, ast.keyword):
            assert node.arg != "unsafe_allow_html", where
        if isinstance(node, ast.Import | ast.ImportFrom):
            modules = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
            forbidden = {"pickle", "cPickle", "dill", "marshal", "shelve", "streamlit.components"}
            assert not forbidden & set(modules), f"{where} imports {modules}"
        if isinstance(node, ast.Attribute):
            assert ast.unparse(node) not in ("sys.path", "st.html", "st.components.v1"), where
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "eval",
            "exec",
            "compile",
            "__import__",
            "os.system",
        ):
            raise AssertionError(f"{where} calls {ast.unparse(node.func)}")


UNSAFE = re.compile(
    r"\b(?:read_ipc\w*|scan_ipc|read_feather|open_stream|open_file|RecordBatchFileReader|RecordBatchStreamReader|joblib|yaml|jsonpickle|allow_pickle"
    r"|np\.load|numpy\.load|torch|unpickle\w*|loads_pickle)\b"
)


@pytest.mark.parametrize("path", [path for path in CODE if path.stat().st_size], ids=named)
def test_nothing_that_could_run_or_trust_what_it_reads_is_called(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    words = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    words += [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    words += [
        alias.name for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    ]
    words += [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    assert [word for word in words if UNSAFE.fullmatch(word)] == []


@pytest.mark.parametrize("path", [path for path in CODE if path.stat().st_size], ids=named)
def test_no_thread_of_polars_ever_waits_for_python(path: Path) -> None:
    """While Streamlit makes a table of pandas it holds Python and waits for those threads: the whole server would stand still."""
    found = re.findall(r"\.(?:map_elements|map_batches|map_groups|map_rows|rolling_map)\(", path.read_text("utf-8"))
    assert found == [], "let Python make the column, as core.charts.style.texts does"


def test_the_linter_looks_for_unpickling_and_unsafe_loading_everywhere() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ruff"]["lint"]
    assert "S" in settings["select"]
    ignored = [*settings["ignore"], *(rule for rules in settings["per-file-ignores"].values() for rule in rules)]
    assert not {"S", "S3", "S301", "S302", "S307", "S5", "S506"} & set(ignored)
    excused = re.compile(r"noqa: .*S(?:301|302|307|506)")
    assert [
        named(path)
        for path in [*CODE, *TESTS]
        if path != Path(__file__) and excused.search(path.read_text(encoding="utf-8"))
    ] == []


@pytest.mark.parametrize("path", sorted((REPOSITORY / "core").rglob("*.py")), ids=named)
def test_streamlit_lives_in_the_pages_and_nowhere_below(path: Path) -> None:
    imported = re.findall(r"^\s*(?:from|import)\s+([\w.]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert not {name for name in imported if name.split(".")[0] in ("streamlit", "pages", "app", "server")}


def test_no_test_edits_the_path_or_measures_time() -> None:
    for path in (path for path in TESTS if path != Path(__file__)):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bsys\.path\b", text), named(path)
        if "bench" not in path.parts and "browser" not in path.parts:
            assert not re.search(r"perf_counter|process_time", text), named(path)


def test_every_suppressed_type_error_of_the_product_has_a_code_and_a_reason() -> None:
    for path in CODE:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if "# type:" + " ignore" in line:
                assert re.search(r"# type: ignore\[[a-z, -]+\] +# \S", line), f"{named(path)}:{number}"


def test_no_file_names_the_host_of_a_package_registry() -> None:
    found = [
        (str(name), host) for name, text in texts() for host in HOSTS if host in text.lower() and name.name != "LICENSE"
    ]
    assert found == []


def test_no_file_holds_a_path_of_the_machine_it_was_written_on() -> None:
    found = [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in texts()
        if str(name) != "tests/test_house.py"
        for number, line in enumerate(text.splitlines(), 1)
        if MACHINE.search(line) or str(REPOSITORY) in line
    ]
    assert found == []


def requirements() -> dict[str, str]:
    """requirements.txt as package → its whole entry."""
    text = (REPOSITORY / "requirements.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    entries = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return {re.split(r"[=\[ ;]", entry, maxsplit=1)[0].lower().replace("_", "-"): entry for entry in entries}


def test_every_requirement_is_pinned_and_hashed_and_names_no_place() -> None:
    found = requirements()
    assert len(found) > 10
    for name, entry in found.items():
        assert re.search(r"^[\w.-]+(\[[\w,-]+\])?==[\w.!+]+ ", entry), name
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), name
        assert "://" not in entry, name
        assert " @ " not in entry, name


def test_requirements_hold_every_dependency_of_the_project_in_its_range() -> None:
    from packaging.requirements import Requirement

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = requirements()
    for dependency in map(Requirement, project["dependencies"]):
        name = dependency.name.lower().replace("_", "-")
        assert name in found, name
        version = re.search(r"==([\w.!+]+)", found[name])
        assert version is not None
        assert dependency.specifier.contains(version[1]), f"{name} {version[1]} is outside {dependency.specifier}"


# The version that mended each advisory that touches what we use (R&S A1, and those of the libraries under Streamlit).
MENDED = {
    "streamlit": (
        "1.54.0",
        "SSRF on Windows, CVE-2026-33682; before it path traversal, CVE-2022-35918 and CVE-2024-42474",
    ),
    "starlette": ("1.1.0", "SSRF by StaticFiles on Windows, CVE-2026-48818"),
    "pyarrow": ("14.0.1", "code run by reading a file, CVE-2023-47248"),
    "h11": ("0.16.0", "request smuggling, CVE-2025-43859"),
    "jinja2": ("3.1.6", "leaving the sandbox, CVE-2025-27516"),
    "requests": ("2.32.4", "credentials sent elsewhere, CVE-2024-47081"),
    "urllib3": ("2.5.0", "redirects that were turned off, CVE-2025-50181"),
    "python-multipart": ("0.0.18", "endless work, CVE-2024-53981"),
    "pillow": ("11.3.0", "a buffer overflow, CVE-2025-48379"),
    "protobuf": ("6.31.1", "endless recursion, CVE-2025-4565"),
}


@pytest.mark.parametrize("name", MENDED)
def test_no_pinned_version_is_older_than_the_one_that_mended_its_advisory(name: str) -> None:
    from packaging.version import Version

    found = requirements()
    assert name in found
    version = re.search(r"==([\w.!+]+)", found[name])
    assert version is not None
    assert Version(version[1]) >= Version(MENDED[name][0]), MENDED[name]


@pytest.mark.parametrize("name", ["streamlit", "starlette", "pyarrow"])
def test_the_project_itself_asks_for_what_streamlit_does_not_ask_for(name: str) -> None:
    from packaging.requirements import Requirement
    from packaging.version import Version

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = next(each for each in map(Requirement, project["dependencies"]) if each.name == name)
    least = [Version(each.version) for each in asked.specifier if each.operator in (">=", "~=", "==")]
    assert least
    assert max(least) >= Version(MENDED[name][0])


def test_the_python_that_is_promised_is_the_one_that_is_checked() -> None:
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    least = settings["project"]["requires-python"].removeprefix(">=")
    assert settings["tool"]["mypy"]["python_version"] == least
    assert settings["tool"]["ruff"]["target-version"] == "py" + least.replace(".", "")
    assert sys.version_info >= tuple(map(int, least.split(".")))


def test_every_folder_of_tests_mirrors_one_of_the_product() -> None:
    folders = {path.name for path in (REPOSITORY / "tests").iterdir() if path.is_dir() and any(path.glob("test_*.py"))}
    product = {path.name for path in (REPOSITORY / "core").iterdir() if path.is_dir()} | {
        "pages",
        "hosted",
        "browser",
        "sample_data",
    }
    assert folders <= product


@pytest.mark.parametrize("path", [path for path in TESTS if path.name.startswith("test_")], ids=named)
def test_the_name_of_a_test_is_a_sentence(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [
        node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert names
    short = [name for name in names if len(name.split("_")) < 4]
    assert short == [], "too short to be a sentence"
