"""Finding what must not be published in mined text: keys, passwords, and people's addresses."""

from __future__ import annotations

import re
from functools import cache

from detect_secrets.core.scan import scan_line
from detect_secrets.plugins.base import BasePlugin
from detect_secrets.plugins.keyword import DENYLIST, KeywordDetector
from detect_secrets.settings import configure_settings_from_baseline, get_plugins

_PLUGINS = (
    "ArtifactoryDetector", "AWSKeyDetector", "AzureStorageKeyDetector", "BasicAuthDetector", "CloudantDetector",
    "DiscordBotTokenDetector", "GitHubTokenDetector", "GitLabTokenDetector", "IbmCloudIamDetector",
    "IbmCosHmacDetector", "JwtTokenDetector", "KeywordDetector", "MailchimpDetector", "NpmDetector", "OpenAIDetector",
    "PrivateKeyDetector", "PypiTokenDetector", "SendGridDetector", "SlackDetector", "SoftlayerDetector",
    "SquareOAuthDetector", "StripeDetector", "TelegramBotTokenDetector", "TwilioKeyDetector",
)
"""All of the scanner's detectors but those of high entropy, which take alphabets and hashes for keys."""

_FILTERS = (
    "is_sequential_string", "is_potential_uuid", "is_likely_id_string", "is_templated_secret",
    "is_prefixed_with_dollar_sign", "is_indirect_reference", "is_not_alphanumeric_string",
)

_NAMES = re.compile("|".join(DENYLIST), re.I)
_NO_FILE = "adhoc-string-scan"
"""What the scanner calls a line that is of no file, and so of no language."""
_TOP_LEVEL = "com|org|net|edu|gov|mil|int|info|biz|name|io|dev|app|ai|me|xyz|cloud|tech|online|email|[a-z]{2}"
_ADDRESS = re.compile(rf"(?<![\w.+-])(?!git@)[\w.+-]+@((?:[a-z0-9-]+\.)+(?:{_TOP_LEVEL}))\b(?![\w(])", re.I)
_NOBODY = re.compile(
    r"(^|\.)(example|test|invalid|localhost|domain|mydomain|yourdomain|company|foo|bar|acme|host|server)\."
    r"(com|org|net|edu|io|co)$|\.(example|test|invalid|localhost)$|^(users\.)?noreply\.",
    re.I,
)


def personal_in(text: str) -> str:
    """What kind of key, password or address the text holds, with its line number but never itself; "" for none."""
    for number, line in enumerate(text.splitlines(), 1):
        for match in _ADDRESS.finditer(line) if "@" in line else ():
            if not _NOBODY.search(match.group(1)):
                return f"an e-mail address in line {number}"
    return _secret_in(text)


def _secret_in(text: str) -> str:
    # The detector of names such as `password` takes longer than all others, and needs one of them.
    named = _NAMES.search(text) is not None
    detectors = [one for one in _detectors() if named or not isinstance(one, KeywordDetector)]
    for number, line in enumerate(text.splitlines(), 1):
        # The scanner's own way to a detector takes longer than most of them do.
        if any(one.analyze_line(_NO_FILE, line) for one in detectors):
            for secret in scan_line(line):
                return f"{secret.type} in line {number}"
    return ""


@cache
def _detectors() -> tuple[BasePlugin, ...]:
    """The scanner's detectors; it is set for good, and never asks anybody whether a key is valid."""
    configure_settings_from_baseline({
        "plugins_used": [{"name": name} for name in _PLUGINS],
        "filters_used": [{"path": f"detect_secrets.filters.heuristic.{name}"} for name in _FILTERS],
    })
    return tuple(get_plugins())
