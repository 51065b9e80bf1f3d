"""Chromium without a window, with a page of `archtool graph --format html`."""

import os
import plistlib
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

ROOT = Path(__file__).resolve().parents[2]
ARCHIVES = ROOT / "TestArchives"
# Files of other programs, where they are available.
CORPUS = Path(os.environ.get("ARCHTOOL_CORPUS", ROOT.parent / "shared/corpus"))
ARCHTOOL = os.environ.get("ARCHTOOL", str(ROOT / ".build/debug/archtool"))


def archtool(*arguments):
    """The output of a run, which must succeed or answer no."""
    result = subprocess.run([ARCHTOOL, *map(str, arguments)], capture_output=True, text=True)
    assert result.returncode in (0, 1), result.stderr
    return result.stdout


class PageTest(unittest.TestCase):
    """A test with one browser for all its pages, and a folder for them."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="archtool-browser-"))
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or shutil.which("google-chrome") or ""
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        shutil.rmtree(cls.folder)

    def tearDown(self):
        # The favicon is the browser's idea, not the page's.
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        self.assertEqual([message for message in messages if "favicon" not in message], [])

    def plist(self, name, value):
        """A property list of values."""
        path = self.folder / name
        path.write_bytes(plistlib.dumps(value, fmt=plistlib.FMT_BINARY))
        return path

    def open(self, archive, *options, width=1280, dark=False):
        """Opens the page of an archive."""
        page = self.folder / "page.html"
        archtool("graph", "--format", "html", *options, "-f", "-o", page, archive)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
        self.driver.get(page.as_uri())
        self.script("localStorage.clear(); delete document.documentElement.dataset.theme")
        return page

    def script(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 80)")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def press(self, *keys):
        """Types keys into the element that has the focus."""
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()
        self.frame()

    def texts(self, selector):
        return self.script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def rows(self):
        """Key and value of each row of the tree that is in view."""
        return self.script(
            "return [...document.querySelectorAll('#tree .row')].map(e => "
            "e.querySelector('.key').textContent + ': ' + e.querySelector('.value').textContent)")

    def path(self):
        """The path of the chosen value, as the details show it."""
        return self.texts("#details .path code")[0]
