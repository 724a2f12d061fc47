#!/bin/sh
# Install the browser that the tests of the Space's page drive, or say in one sentence that they will be left out.
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable chrome; do
    [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 && exit 0
done
say() { echo "Chromium is missing, so the tests in a browser are skipped: install it (Debian: sudo apt-get install chromium), or name one in CHROMIUM." >&2; exit 0; }
command -v apt-get >/dev/null 2>&1 || say
if [ "$(id -u)" = 0 ]; then run=""; elif sudo -n true 2>/dev/null; then run="sudo -n"; else say; fi
{ $run apt-get update -qq && $run apt-get install -y -qq chromium; } >/dev/null 2>&1
command -v chromium >/dev/null 2>&1 || say
