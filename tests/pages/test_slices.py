"""The Slices page: it names what fell, small groups are never findings, and one pick filters every page."""

from pathlib import Path

import pytest

from pages.shared.shelf import shelf
from tests.pages.dashboard import frame, in_order, opened, qrels_text, run_text, said, token_of

PLACES = {"up": (3, 1), "down": (1, 6), "same": (2, 2)}


def files_of(sizes: dict[str, int], *, attributes: bool = True, documents: bool = True) -> dict[str, str]:
    """Queries of several groups with one relevant document each, at the ranks in PLACES for either run."""
    judged: dict[str, dict[str, int]] = {}
    base: dict[str, list[str]] = {}
    new: dict[str, list[str]] = {}
    rows = ["query_id,group,tags"]
    for group, size in sizes.items():
        for at in range(size):
            query = f"{group}{at:02}"
            judged[query] = {"rel": 1, "n0": 0}
            for run, rank in zip(
                (base, new), PLACES[group.rstrip("s")] if group != "same" else PLACES["same"], strict=True
            ):
                order = [f"n{other}" for other in range(8)]
                order.insert(rank - 1 + at % 2, "rel")
                run[query] = order
            rows.append(f"{query},{group},{'web|app' if at % 2 else 'web'}")
    files = {
        "qrels.txt": qrels_text(judged),
        "base.run": run_text("base", in_order(base)),
        "new.run": run_text("new", in_order(new)),
    }
    if attributes:
        files["queries.csv"] = "\n".join(rows) + "\n"
    if documents:
        files["documents.csv"] = "doc_id,title,source\nrel,Relevant,wiki\nn0,Noise,mail\nn1,Noise,mail\n"
    return files


@pytest.fixture(scope="module")
def token() -> str:
    return token_of(files_of({"up": 60, "down": 12, "same": 6}))


def test_the_title_names_the_slice_that_fell_and_the_page_shows_its_column(token: str) -> None:
    at = opened("slices", token)
    title = at.title[0].value.replace("\\", "")
    assert title.startswith('"down" fell by 0.')
    assert "with new, while its mean rose by 0." in title
    assert at.header[0].value == "By group"
    rows = frame(at, "Slices by group")
    fell = rows[(rows["slice"] == "down") & (rows["run"] == "new")]
    assert fell["finding"].tolist() == [["Fell"]]
    assert rows[rows["slice"] == "same"]["finding"].tolist() == [["Baseline"], ["Too few queries"]]
    assert rows[rows["run"] == "new"]["n"].sum() == 78


def test_a_slice_of_six_queries_is_never_a_finding() -> None:
    at = opened("slices", token_of(files_of({"same": 60, "down": 6})))
    assert at.title[0].value == "No slice stands out"
    rows = frame(at, "Slices by group")
    assert rows[(rows["slice"] == "down") & (rows["run"] == "new")]["p_bh"].isna().all()


def test_the_groups_are_said_to_hold_every_query_or_to_overlap(token: str) -> None:
    assert "3 slices hold 78 queries, each once." in said(opened("slices", token))
    split = said(opened("slices", token, column="tags (split)"))
    assert "2 slices hold 78 queries; lists put some in several, 117 places in all." in split


def test_two_columns_cross(token: str) -> None:
    at = opened("slices", token, column="group", cross="tags")
    assert at.header[0].value.replace("\\", "") == "By group × tags"
    values = frame(at, "Slices by group × tags")["slice"].unique().tolist()
    assert values[:2] == ["up × web", "up × web|app"]


def test_macro_stands_beside_micro(token: str) -> None:
    rows = frame(opened("slices", token), "Micro and macro")
    assert rows["run"].tolist() == ["base", "new"]
    assert rows["micro_difference"][1] > rows["macro_difference"][1]


def test_picking_a_slice_filters_the_page_and_can_be_taken_back(token: str) -> None:
    at = opened("slices", token, after_another=True, column="group")
    pick = next(each for each in at.selectbox if each.label == "Look at one slice on every page")
    pick.set_value("down").run()
    assert not at.exception
    assert at.selectbox(key="slice").value == "group"
    assert "12 queries" in said(at)
    assert frame(at, "Slices by group")["slice"].unique().tolist() == ["down"]
    at.button(key="_unslice").click().run()
    assert at.selectbox(key="slice").value == "All queries"


def test_a_crossed_slice_in_the_address_filters_other_pages_too(token: str) -> None:
    at = opened("overview", token, slice="group × tags", **{"in": ["down × web|app"]})
    assert "6 queries" in said(at)
    assert at.selectbox(key="slice").value == "group × tags"


def test_sources_add_up_and_name_where_the_gain_is_lost(token: str) -> None:
    at = opened("slices", token)
    rows = frame(at, "Shares of the top")
    assert set(rows["source"]) == {"wiki", "mail", "(none)"}
    for name in ("top0", "top1", "gained0", "lost0"):
        assert rows[name].sum() == pytest.approx(100)
    assert '100% of the gain that new loses is in "wiki"' in said(at)


def test_queries_without_a_value_are_counted() -> None:
    files = files_of({"up": 12, "down": 12}, documents=False)
    files["queries.csv"] = "\n".join(files["queries.csv"].splitlines()[:15]) + "\n"
    at = opened("slices", token_of(files))
    assert "3 slices hold 24 queries, each once. 10 queries have no value: (none)." in said(at)


def test_different_grade_scales_are_said_and_averaged_apart() -> None:
    files = files_of({"up": 30, "down": 30}, documents=False)
    lines = files["qrels.txt"].splitlines()
    files["qrels.txt"] = (
        "\n".join(line.replace(" rel 1", " rel 3") if line.startswith("up") else line for line in lines) + "\n"
    )
    at = opened("slices", token_of(files), column="group")
    assert any("graded on different scales" in each.value for each in at.warning)
    rows = frame(at, "Micro and macro")
    assert rows["scale"].unique().tolist() == ["1", "3"]
    grades = frame(at, "Slices by group").drop_duplicates("slice").set_index("slice")["grade"]
    assert grades.to_dict() == {"up": 3.0, "down": 1.0}


def test_one_run_has_a_weakest_slice() -> None:
    files = files_of({"up": 12, "down": 12}, documents=False)
    files.pop("new.run")
    at = opened("slices", token_of(files))
    assert at.title[0].value.replace("\\", "").startswith('base is weakest in "up": 0.')
    assert "difference" not in frame(at, "Slices by").columns


def test_without_metadata_the_page_says_what_makes_slices() -> None:
    at = opened("slices", token_of(files_of({"up": 12}, attributes=False, documents=False)))
    assert at.title[0].value == "Nothing to slice by"
    with_documents = opened("slices", token_of(files_of({"up": 12}, attributes=False)))
    assert "Where the gain comes from" in said(with_documents)


def test_without_a_comparison_the_page_says_what_it_will_answer() -> None:
    assert "Where does it win and lose?" in said(opened("slices"))


def test_gis_is_named_as_the_forum_that_fell_while_the_mean_rose(shared: Path) -> None:
    folder = shared / "data" / "cqadupstack_synthruns"
    names = ("qrels.txt", "runs/baseline.run", "runs/candidate.run", "query_metadata.tsv")
    kept = shelf().put(tuple(shelf().keep(Path(name).name, (folder / name).read_bytes()) for name in names))
    at = opened("slices", kept)
    title = at.title[0].value.replace("\\", "")
    assert title.startswith('"gis" fell by 0.')
    assert "while its mean rose" in title
    assert at.header[0].value == "By source"
