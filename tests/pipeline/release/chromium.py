"""Headless Chromium for tests, driven by its DevTools protocol over two pipes: it needs no package and no port."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 60.0

# Chromium reads commands from descriptor 3 and writes answers to 4.
_START = """
import os, sys
taken, given = (os.dup(int(number)) for number in sys.argv[1:3])
os.dup2(taken, 3), os.dup2(given, 4)
os.set_inheritable(3, True), os.set_inheritable(4, True)
os.execv(sys.argv[3], sys.argv[3:])
"""


def find_chromium() -> str:
    """The browser's path, from CHROMIUM or by its usual names; "" where there is none."""
    return os.environ.get("CHROMIUM") or next((path for path in map(shutil.which, NAMES) if path), "")


class Browser:
    """One tab. `errors` are the messages of its console, exceptions, and what a policy has stopped."""

    def __init__(self, commands: int, answers: int) -> None:
        self.commands, self.answers = commands, answers
        self.buffer = b""
        self.number = 0
        self.session = ""
        self.errors: list[str] = []
        self.loaded = False

    def attach(self) -> None:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Performance"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command; raises where Chromium gives an error."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("id") == self.number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return found["result"]

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + SECONDS
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0.0, until - time.monotonic()))
            data = os.read(self.answers, 1 << 16) if ready else b""
            if not data:
                raise RuntimeError("Chromium has ended, or does not answer.")
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, told: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.errors.append(told["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning", "assert"):
            self.errors.append(f"console: {told['args']}")
        elif method == "Log.entryAdded":
            self.errors.append(told["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.errors.append(f"dialog: {told['message']}")

    def open(self, url: str) -> None:
        """Load a page anew and wait until its scripts have run."""
        for address in ("about:blank", url):  # from one hash to another would be no load
            self.loaded = False
            self.ask("Page.navigate", url=address)
            while not self.loaded:
                self._next()
        self.settle()

    def run(self, code: str) -> Any:
        """The value of a JavaScript expression, which may be a promise."""
        found = self.ask("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(found["exceptionDetails"]["exception"].get("description"))
        return found["result"].get("value")

    def enter_frame(self, address: str) -> None:
        """From now on everything is about the frame of another site that shows the address."""
        targets = self.ask("Target.getTargets")["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "iframe" and t["url"] == address)
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def settle(self) -> None:
        """Wait for two frames, so that what was begun is drawn and late messages have come."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def press(self, key: str, text: str = "") -> None:
        """A key of the keyboard, by the name that JavaScript has for it."""
        code = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "Tab": 9}.get(key, 0)
        text = "\r" if key == "Enter" else text
        kind = "keyDown" if text else "rawKeyDown"
        self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text, windowsVirtualKeyCode=code)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)
        self.settle()

    def write(self, text: str) -> None:
        """Type a text, key by key."""
        for character in text:
            self.press(character, character)

    def resize(self, width: int, height: int = 800, phone: bool = False) -> None:
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def prefer(self, scheme: str) -> None:
        """Light or dark."""
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def metric(self, name: str) -> float:
        """One of Chromium's counters, such as ScriptDuration (seconds)."""
        return next(m["value"] for m in self.ask("Performance.getMetrics")["metrics"] if m["name"] == name)

    def screenshot(self, path: Path, whole: bool = False) -> None:
        data = self.ask("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A running Chromium that keeps its files in the folder."""
    taken, commands = os.pipe()
    answers, given = os.pipe()
    flags = [
        "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={folder}", "--no-first-run", "--disable-gpu",
        "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
    ]  # fmt: skip
    command = [sys.executable, "-c", _START, str(taken), str(given), find_chromium(), *flags]
    process = subprocess.Popen(command, pass_fds=(taken, given), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    os.close(taken)
    os.close(given)
    try:
        one = Browser(commands, answers)
        one.attach()
        yield one
    finally:
        os.close(commands)
        os.close(answers)
        process.terminate()
        process.wait(timeout=SECONDS)
