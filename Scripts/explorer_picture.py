"""Draws the explorer's page of an archive in Chromium: explorer.png with its light colors, explorer-dark.png with the dark.

usage: explorer_picture.py FOLDER
"""

import base64
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Browser"))

from browser import ARCHIVES, PageTest  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402


class Picture(PageTest):
    def draw(self, output, dark):
        # The page shows the name as it was given.
        os.chdir(ARCHIVES)
        self.open("WeatherFeed/v1-50-cities", width=1280, dark=dark)
        self.press("g")
        self.press("$.topCityWeathers[9].Temperature.Metric.Value", Keys.ENTER)
        self.frame()
        picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        output.write_bytes(base64.b64decode(picture["data"]))


FOLDER = Path(sys.argv[1]).resolve()
Picture.setUpClass()
try:
    for name, dark in [("explorer.png", False), ("explorer-dark.png", True)]:
        Picture("path").draw(FOLDER / name, dark)
finally:
    Picture.tearDownClass()
