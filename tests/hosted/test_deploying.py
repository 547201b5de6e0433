"""Deploying: the image, the compose file, HOSTING.md and what they name hold together, and an installed wheel serves."""

import re
import shutil
import subprocess
import venv
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]  # comes with moto, which brings no types
from streamlit import config

from tests.browser.conftest import LONG
from tests.conftest import REPOSITORY
from tests.hosted import recipe
from tests.hosted.clean_root import CleanRoot, missing, seen
from tests.hosted.deployed import running, start
from tests.hosted.journey import COPIES, COPIES_NOT, chromium, everything
from tests.hosted.visiting import look

HOSTING = (REPOSITORY / "HOSTING.md").read_text(encoding="utf-8")
OURS = re.compile(r"\bRANKLENS_[A-Z_]+\b")
# What is Streamlit's, an object store's or Python's own.
THEIRS = ("PATH", "HOME", "PIP_", "PYTHON", "AWS_", "GOOGLE_", "AZURE_", "SPACE_HOST")


@cache
def read_by_the_code() -> set[str]:
    """Every variable of ours that the product reads."""
    files = [
        REPOSITORY / "app.py",
        REPOSITORY / "server.py",
        *REPOSITORY.glob("core/**/*.py"),
        *REPOSITORY.glob("pages/**/*.py"),
    ]
    return {name for path in files for name in OURS.findall(path.read_text(encoding="utf-8"))}


@cache
def streamlits() -> set[str]:
    """Every variable that is an option of Streamlit's."""
    options = [re.sub(r"(?<!^)(?=[A-Z])", "_", key).replace(".", "_").upper() for key in config.get_config_options()]
    return {f"STREAMLIT_{option}" for option in options}


def known(name: str) -> bool:
    """Whether a variable means something to the code, to Streamlit, or to what is below."""
    return name in read_by_the_code() | streamlits() or name.startswith(THEIRS)


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((REPOSITORY / "compose.yaml").read_text(encoding="utf-8"))
    return found


def test_every_file_that_the_image_copies_reaches_the_builder() -> None:
    reach = recipe.context()
    for step in recipe.dockerfile():
        if step.word == "COPY":
            for source in step.rest.split()[:-1]:
                assert any(path.is_relative_to(source) for path in reach), source


def test_the_builder_sees_all_of_the_product_and_nothing_else() -> None:
    reach = {path.parts[0] for path in recipe.context()}
    assert reach == {
        ".streamlit", "LICENSE", "README.md", "app.py", "core", "pages", "pyproject.toml", "ranklens", "requirements.txt", "sample_data", "server.py",
    }  # fmt: skip
    assert Path(".streamlit/secrets.toml") not in recipe.context()


def test_the_image_installs_by_hashes_runs_one_process_as_somebody_who_is_not_root_and_writes_to_its_store() -> None:
    steps = recipe.dockerfile()
    installs = [
        part.strip() for step in steps if step.word == "RUN" for part in step.rest.split("&&") if "pip install" in part
    ]
    assert installs == ["pip install --require-hashes -r /build/requirements.txt", "pip install --no-deps /build"]
    assert recipe.user(steps) not in ("root", "0")
    assert recipe.command(steps) == ["streamlit", "run", "server.py"]
    where = next(step.rest for step in steps if step.word == "WORKDIR")
    version = re.match(r"python:(3\.\d+)", steps[0].rest)
    assert version
    assert f"python{version[1]}/" in where
    told = recipe.environment(steps)
    assert told["RANKLENS_HOSTED"] == "1"
    assert next(step.rest for step in steps if step.word == "VOLUME") == told["RANKLENS_STORE"]


def test_every_variable_that_the_image_and_the_compose_file_set_is_known() -> None:
    named = [*recipe.environment(recipe.dockerfile()), *compose()["services"]["ranklens"]["environment"]]
    assert [name for name in named if not known(name)] == []


def test_the_compose_file_keeps_the_store_and_lets_the_process_write_nowhere_else() -> None:
    service, volumes = compose()["services"]["ranklens"], compose()["volumes"]
    store = recipe.environment(recipe.dockerfile())["RANKLENS_STORE"]
    mounts = dict(entry.split(":") for entry in service["volumes"])
    assert set(mounts) == set(volumes)
    assert set(mounts.values()) == {store, "/tmp"}  # noqa: S108 - inside the container
    assert service["read_only"] is True
    assert service["ports"] == ["127.0.0.1:8501:8501"]
    assert service["mem_limit"]


def test_the_hosts_settings_are_those_that_the_code_reads() -> None:
    rows = re.findall(r"^\| `(RANKLENS_[A-Z_]+)` \|", HOSTING, re.MULTILINE)
    assert len(rows) == len(set(rows))
    assert set(rows) == read_by_the_code()
    assert [name for name in sorted(set(OURS.findall(HOSTING))) if name not in rows] == []


def test_every_variable_in_an_example_for_hosts_is_known() -> None:
    blocks = re.findall(r"```(?:sh|env|yaml|toml)\n(.*?)```", HOSTING, re.DOTALL)
    named = {name for block in blocks for name in re.findall(r"\b([A-Z][A-Z0-9_]{3,}) ?=", block)}
    assert named
    assert [name for name in sorted(named) if not known(name)] == []


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an install of the wheel puts into site-packages."""
    if shutil.which("uv") is None:
        pytest.skip("uv, which builds the wheel, is not on the path")
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(["uv", "build", "--wheel", "--quiet", "--out-dir", str(folder), str(REPOSITORY)], check=True)
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(folder / "site")
    return folder / "site"


def test_the_wheel_holds_the_entry_its_settings_its_pages_its_assets_and_its_sample(installed: Path) -> None:
    product = [
        path for path in recipe.context()
        if path.suffix in (".py", ".js", ".css", ".svg", ".toml", ".csv", ".txt", ".run") and path.name != "requirements.txt"
    ]  # fmt: skip
    absent = [str(path) for path in product if not (installed / path).is_file() and str(path) != "pyproject.toml"]
    assert absent == []
    # Streamlit looks for the manifest of our components here.
    assert (installed / "ranklens/pyproject.toml").is_file()
    assert not (installed / "tests").exists()


def test_an_installed_wheel_serves_by_itself(installed: Path, tmp_path: Path) -> None:
    replica = start(tmp_path, "installed", {"RANKLENS_STORE": str(tmp_path / "store")}, where=installed)
    with running(replica):
        assert r"beats bm25 by 0\\.137" in look(replica.served, "overview", "d=sample")
        assert replica.served.events("started")[0]["access"] == "open"


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="minutes: RANKLENS_LONG=1 runs it")
def test_the_steps_of_the_dockerfile_make_a_dashboard_that_works_in_a_clean_root(tmp_path: Path) -> None:
    if reason := missing():
        pytest.skip(reason)
    root = CleanRoot(tmp_path)
    root.build()
    with root.running() as container:
        found = list(seen(container))
    assert COPIES in found
    assert "it ends by itself when it is told to stop" in found


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="minutes: RANKLENS_LONG=1 runs it")
@pytest.mark.parametrize("script", ["app.py", "server.py"])
def test_requirements_alone_are_enough_to_run_from_a_clone(bare: str, tmp_path: Path, script: str) -> None:
    clone = tmp_path / "clone"
    for path in recipe.context():
        (clone / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / path, clone / path)
    store = {"RANKLENS_STORE": str(tmp_path / "store")}
    replica = start(tmp_path, "bare", store, where=clone, python=bare, script=script)
    with running(replica), chromium() as browser:
        found = list(everything(browser, replica.served.address))
    assert COPIES_NOT in found


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A fresh environment that holds what requirements.txt names and nothing else, as a host's builder makes it; its Python."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    python = str(folder / "bin/python")
    requirements = ["install", "--quiet", "--require-hashes", "--requirement", str(REPOSITORY / "requirements.txt")]
    subprocess.run([python, "-m", "pip", *requirements], check=True)
    return python
