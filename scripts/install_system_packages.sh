#!/bin/sh
# Install what the sandbox needs of the system, or say in one sentence what is missing.
command -v bwrap >/dev/null 2>&1 && exit 0
if [ "$(uname -s)" != Linux ]; then
    echo "Answers can only be run on Linux: here you can download releases and read them, but not score or build." >&2
    exit 0
fi
say() { echo "bubblewrap is missing: install it (Debian, Ubuntu: sudo apt-get install bubblewrap) and run this again." >&2; exit 1; }
command -v apt-get >/dev/null 2>&1 || say
if [ "$(id -u)" = 0 ]; then run=""; elif sudo -n true 2>/dev/null; then run="sudo -n"; else say; fi
{ $run apt-get update -qq && $run apt-get install -y -qq bubblewrap; } >/dev/null 2>&1
command -v bwrap >/dev/null 2>&1 || say
