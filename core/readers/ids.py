"""Ids: those of one side that nearly agree, and those that a spreadsheet has damaged."""

import polars as pl

from core.notices import Notice

WORDS = {"query_id": "query ids", "doc_id": "document ids"}
MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
EXPONENT = r"^\d(\.\d+)?E\+\d{1,3}$"
DATE = rf"(?i)^(\d{{1,2}}-({MONTHS})(-\d{{2,4}})?|({MONTHS})-\d{{2}}|\d{{1,2}}/\d{{1,2}}/\d{{4}})$"
FAULT = r"^#(N/A|REF!|NAME\?|VALUE!|DIV/0!|NUM!|NULL!)$"
DECIMAL = r"^\d+\.0$"
LONG_NUMBER = r"^\d{16,}$"
ROUNDED = r"^\d{15}0+$"


def variants(frame: pl.DataFrame, name: str) -> list[Notice]:
    """A notice for ids of a file that differ only by Unicode form, case, or blanks around them; they stay apart."""
    found = []
    for column in (column for column in WORDS if column in frame.columns):
        words = WORDS[column]
        ids = frame.select(pl.col(column).unique())
        composed = pl.col(column)
        # Composing Unicode costs more than reading the judgments does, and plain ASCII has one form only.
        if not ids[column].str.len_bytes().equals(ids[column].str.len_chars()):
            composed = composed.str.normalize("NFC")
        form = composed.str.strip_chars().str.to_lowercase()
        if ids.select(form.n_unique()).item() == ids.height:
            continue
        alike = (
            ids.group_by(form.alias("form"))
            .agg(pl.col(column).sort())
            .filter(pl.col(column).list.len() > 1)
            .sort("form")
        )
        groups = alike[column].to_list()
        count = sum(len(group) for group in groups)
        message = f"{count:,} {words} differ only by Unicode form, case or blanks; they are kept apart."
        examples = tuple(" · ".join(f'"{one}"' for one in group) for group in groups[:5])
        found.append(Notice("id-variants", "warning", name, message, count, examples))
    return found


def damaged_ids(frame: pl.DataFrame, name: str) -> list[Notice]:
    """A notice for ids that look as a spreadsheet or a float column leaves them: 1.23E+15, dates, `.0` on every id."""
    found = []
    for column in (column for column in WORDS if column in frame.columns):
        words = WORDS[column]
        ids = frame[column].unique().drop_nulls()
        damaged = ids.filter(ids.str.contains(f"{EXPONENT}|{DATE}|{FAULT}"))
        how = "look like numbers, dates or faults of a spreadsheet"
        if not damaged.len():
            damaged, how = (
                ids.filter(ids.str.contains(DECIMAL)),
                'end in ".0", as if a table had kept them as decimal numbers',
            )
            if damaged.len() < ids.len():
                damaged = ids.filter(ids.str.contains(LONG_NUMBER))
                how = "end in zeros after 15 digits, as if a spreadsheet had rounded them"
                if damaged.len() < 3 or not damaged.str.contains(ROUNDED).all():
                    continue
        count = damaged.len()
        if count:
            message = f"{count:,} {words} {how}."
            found.append(Notice("id-damage", "warning", name, message, count, tuple(damaged.sort().head(5).to_list())))
    return found
