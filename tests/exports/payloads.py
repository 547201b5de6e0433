"""Texts that somebody may put into ids, names and texts of files, each of which would do something in some format."""

from core.comparison import Comparison
from tests.comparison.made import comparison_of, metadata_of, titles_of
from tests.scoring.collections import Grades, Scored

ELSEWHERE = "http://203.0.113.7"

HTML = (
    "<script>window.__pwned=1</script>", "<img src=x onerror=window.__pwned=1>", f"<img src={ELSEWHERE}/a.png>",
    "<svg onload=window.__pwned=1>",
    "</script><script>window.__pwned=1</script>", "</style><script>window.__pwned=1</script>", "</title><script>window.__pwned=1</script>",
    "\"><script>window.__pwned=1</script>", "'><img src=x onerror=window.__pwned=1>", "<iframe src=javascript:window.__pwned=1></iframe>",
    f"<iframe src={ELSEWHERE}></iframe>", f"<link rel=stylesheet href={ELSEWHERE}/a.css>", f"<style>@import '{ELSEWHERE}/b.css'</style>",
    "<a href=javascript:window.__pwned=1>x</a>", f"<meta http-equiv=refresh content='0;url={ELSEWHERE}'>", f"<base href={ELSEWHERE}>",
    "<body onload=window.__pwned=1>", "<details open ontoggle=window.__pwned=1>", "<input autofocus onfocus=window.__pwned=1>",
    f"<video src={ELSEWHERE}/v></video>", f"<object data={ELSEWHERE}/o></object>", f"<embed src={ELSEWHERE}/e>",
    "<!-- x --><script>window.__pwned=1</script>",
    "&lt;script&gt;window.__pwned=1&lt;/script&gt;", "&#60;img src=x onerror=window.__pwned=1&#62;",
    "<math><mtext></form><form><mglyph><svg onload=window.__pwned=1>",
    "<template><script>window.__pwned=1</script></template>", "{{constructor.constructor('window.__pwned=1')()}}",
    "${window.__pwned=1}", "javascript:window.__pwned=1",
)  # fmt: skip
MARKDOWN = (
    f"![x]({ELSEWHERE}/m.png)", f"[x]({ELSEWHERE})", "[x](javascript:window.__pwned=1)", "# heading", "**bold** _it_ ~~no~~",
    "> quote", "- item",
    "1. item", "---", "| a | b |", "`code`", "```\ncode\n```", f"<{ELSEWHERE}/auto>", f"{ELSEWHERE}/bare.png", "www.example.test",
    "@somebody", "a@example.test",
    "#123", ":smile:", ":material/home:", ":red[x]", "[^1]", "- [ ] task", f"[x]: {ELSEWHERE}/ref.png",
)  # fmt: skip
LATEX = ("$\\href{javascript:x}{y}$", "$$\\frac{1}{0}$$", "\\input{/etc/passwd}", "\\write18{id}", "$E=mc^2$")
FORMULAS = (
    "=1+1", "+1+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0", f'=HYPERLINK("{ELSEWHERE}","x")', f'=WEBSERVICE("{ELSEWHERE}")', "=1+1;",
    "+cmd|'/C calc'!A0",
    "-2+3+cmd|' /C calc'!A0", "@A1", "=IMPORTXML(A1)",
)  # fmt: skip
ODD = (
    "\u202eevil", "zero\u200bwidth", "emoji 🧨", "漢字かな", "../../etc/passwd", "C:\\windows\\x", "datum.x", "a" * 200, "%00", "null",
    "NaN", "\u2028line",
    "_x000D_", "x\u0301", "'; DROP TABLE x; --",
)  # fmt: skip
PAYLOADS = (*HTML, *MARKDOWN, *LATEX, *FORMULAS, *ODD)


def poisoned() -> Comparison:
    """A comparison in which every id, name, text and attribute is a payload: two runs named by payloads over all of them."""
    grades: Grades = {}
    first: Scored = {}
    second: Scored = {}
    for at, payload in enumerate(PAYLOADS):
        good, bad = f"{payload} d{at}", f"{payload} e{at}"
        grades[payload] = {good: 2.0, bad: 0.0}
        first[payload] = {bad: 2.0, good: 1.0} if at % 3 else {good: 2.0, bad: 1.0}
        second[payload] = {good: 2.0, bad: 1.0} if at % 5 else {bad: 2.0, good: 1.0, payload: 0.5}
    queries = list(grades)
    known = metadata_of(
        {
            "text": [f"{query} {query}" for query in queries],
            "<script>window.__pwned=1</script>": [PAYLOADS[at % 7] for at in range(len(queries))],
        },
        queries,
    )
    names = (HTML[0], f"=1+1 {MARKDOWN[0]}")
    return comparison_of(
        grades,
        {names[0]: first, names[1]: second},
        queries=known,
        documents=titles_of({f"{text} d{at}": text for at, text in enumerate(PAYLOADS)}),
    )
