"""Take README's pictures of the product: `uv run python -m tests.browser.take_pictures`.

Opens the sample comparison in a real browser, light and dark, and writes sample_data/pictures/overview-*.png with 256 colours.
"""

import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, running_server, settled
from tests.conftest import REPOSITORY

FOLDER = REPOSITORY / "sample_data" / "pictures"
SIZE = {"width": 1440, "height": 1180}


def main() -> None:
    """Write both pictures and say where."""
    FOLDER.mkdir(exist_ok=True)
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    with running_server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for scheme in ("light", "dark"):
            page = browser.new_page(viewport=SIZE, color_scheme=scheme)  # type: ignore[arg-type]  # Playwright's own dictionary type
            page.goto(f"{address}/overview?d=sample")
            settled(page)
            page.wait_for_selector('[data-testid="stVegaLiteChart"] svg, [data-testid="stVegaLiteChart"] canvas')
            page.mouse.move(5, 600)
            page.wait_for_timeout(2500)
            target = FOLDER / f"overview-{scheme}.png"
            page.screenshot(path=str(target))
            Image.open(target).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(target, optimize=True)
            sys.stdout.write(f"{target.relative_to(REPOSITORY)}: {target.stat().st_size // 1000} KB\n")
        browser.close()


if __name__ == "__main__":
    main()
