"""The rule for the upper end and the baseline, as a table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.records import Archive, LockedSource, Source
from pipeline.sources.uploads import baseline, between, first_inside, steps, uploads_of, upper_end

AFTER, UNTIL = "2026-05-01", "2026-11-01"


def project(uploads: str) -> dict:
    """`version day [flags]`, separated by commas; flags: `yanked`, `wheel`, `zip`."""
    releases: dict[str, list[dict]] = {}
    for upload in uploads.split(","):
        version, day, *flags = upload.split()
        wheel = "wheel" in flags
        suffix = "-py3-none-any.whl" if wheel else ".zip" if "zip" in flags else ".tar.gz"
        releases.setdefault(version, []).append({
            "filename": f"p-{version}{suffix}", "packagetype": "bdist_wheel" if wheel else "sdist", "size": 1,
            "yanked": "yanked" in flags, "upload_time_iso_8601": f"{day}T00:00:00.5Z",
            "digests": {"sha256": f"{version}{suffix}"},
        })
    return {"releases": releases}


UPPER = {
    "the highest, not the last": ("6.1 2026-08-05, 5.2.9 2026-09-01, 4.2.30 2026-10-01", "6.1"),
    "no pre-releases": ("6.1 2026-08-05, 6.2a1 2026-10-01, 6.2.dev3 2026-10-02", "6.1"),
    "post-releases are final": ("6.1 2026-08-05, 6.1.post1 2026-08-06", "6.1.post1"),
    "nothing yanked": ("6.1 2026-08-05, 6.2 2026-08-09 yanked", "6.1"),
    "source archives only": ("6.1 2026-08-05, 6.2 2026-08-09 wheel", "6.1"),
    "the window's first day is in it": ("6.1 2026-05-01", "6.1"),
    "its last is not": ("6.1 2026-11-01", ""),
    "before the window": ("6.1 2026-04-30", ""),
    "a source archive that came after its wheel": ("6.1 2026-04-30 wheel, 6.1 2026-05-02", ""),
    "versions that are none": ("6.1 2026-08-05, banana 2026-09-01", "6.1"),
    "by number, not by text": ("6.9 2026-08-05, 6.10 2026-08-06", "6.10"),
    "nothing at all": ("banana 2026-09-01", ""),
}


@pytest.mark.parametrize(("uploads", "expected"), UPPER.values(), ids=UPPER)
def test_the_upper_end_is_the_highest_final_version_in_the_window(uploads: str, expected: str) -> None:
    found = upper_end(uploads_of(project(uploads)), AFTER, UNTIL)
    assert (str(found.version) if found else "") == expected


BASELINE = {
    "long-term branches, as of Django": (
        "4.2.1 2023-05-03, 4.2.30 2026-04-07, 5.0.14 2025-04-02, 5.1.15 2025-12-02, 5.2.13 2026-04-06, 6.0.4 2026-04-05",
        "6.0.4 4.2.30 5.2.13 5.1.15 5.0.14",
    ),
    "the highest is not the latest": ("2.0 2025-12-01, 1.9 2026-01-01, 1.8 2020-01-01", "2.0 1.9"),
    "lines older than 24 months do not count": ("1.0 2024-04-30, 1.1 2024-05-01, 1.2 2026-01-01", "1.2 1.1"),
    "but the highest does, however old": ("3.0 2015-01-01, 2.9 2015-02-01", "3.0 2.9"),
    "pre-releases count": ("1.0 2026-01-01, 2.0a1 2026-02-01", "2.0a1 1.0"),
    "the last of each line": ("1.0.0 2026-01-01, 1.0.1 2026-01-02, 1.1.0 2026-01-03", "1.1.0 1.0.1"),
    "yanked ones count": ("1.0 2026-01-01, 1.1 2026-02-01 yanked", "1.1 1.0"),
    "a wheel where there is no source archive": ("1.0 2026-01-01, 1.1 2026-02-01 wheel", "1.1 1.0"),
    "at most six": (", ".join(f"1.{n} 2026-01-{n + 1:02d}" for n in range(9)), "1.8 1.7 1.6 1.5 1.4 1.3"),
    "nothing from inside the window": ("1.0 2026-01-01, 1.1 2026-05-01", "1.0"),
    "none": ("1.1 2026-05-01", ""),
}


@pytest.mark.parametrize(("uploads", "expected"), BASELINE.values(), ids=BASELINE)
def test_the_baseline_is_the_highest_the_latest_and_the_last_of_each_line(uploads: str, expected: str) -> None:
    found = baseline(uploads_of(project(uploads)), AFTER, 24, 6)
    assert " ".join(str(u.version) for u in found) == expected


BETWEEN = {
    "the first, and the one in the middle": ("1.0 2026-04-01, 1.1 2026-05-02, 1.2 2026-05-03, 1.3 2026-07-15, 2.0 2026-10-01", "1.1 1.3"),
    "one alone": ("1.0 2026-04-01, 1.1 2026-06-02, 2.0 2026-10-01", "1.1"),
    "none": ("1.0 2026-04-01, 2.0 2026-10-01", ""),
    "no long-term branches, of before the window or of since": (
        "1.9 2026-03-01, 2.0 2026-04-01, 1.10 2026-05-02, 2.1 2026-06-01, 2.0.1 2026-07-25, 3.0 2026-10-01", "2.1"),
    "pre-releases count": ("1.0 2026-04-01, 2.0a1 2026-05-02, 2.0 2026-10-01", "2.0a1"),
    "nothing yanked, no wheels": ("1.0 2026-04-01, 1.1 2026-05-02 yanked, 1.2 2026-05-03 wheel, 2.0 2026-10-01", ""),
    "a slip of the pen before the window": ("9.0 2020-01-01, 1.0 2026-04-01, 1.1 2026-05-02, 2.0 2026-10-01", "1.1"),
    "nothing that came later": ("1.0 2026-04-01, 2.0 2026-06-01, 1.9 2026-07-01", ""),
}


@pytest.mark.parametrize(("uploads", "expected"), BETWEEN.values(), ids=BETWEEN)
def test_what_lies_between_is_the_first_front_and_the_nearest_to_the_middle(uploads: str, expected: str) -> None:
    found = uploads_of(project(uploads))
    upper = max((u for u in found if u.version.major < 9), key=lambda u: u.version)
    assert " ".join(str(u.version) for u in between(found, upper, AFTER, 2)) == expected
    assert between(found, upper, AFTER, 0) == []
    assert between(found, upper, AFTER, 1) == between(found, upper, AFTER, 2)[:1]


def test_steps_go_by_the_highest_version_of_the_baseline_and_not_by_a_long_term_branch() -> None:
    def archive(version: str, day: str) -> Archive:
        return Archive(version, f"p-{version}.tar.gz", version, f"{day}T00:00:00Z", 1)

    older = archive("6.0", "2026-03-01"), archive("4.2.30", "2026-04-20"), archive("99.0", "2020-01-01")
    source = Source("pypi", "p", "System Utilities", "p")
    locked = LockedSource(
        source, "", "MIT", "", archive("6.2", "2026-09-01"), older, "2026-05-05T00:00:00Z", (archive("6.1", "2026-05-05"),))
    assert [day[:10] for day in steps(locked)] == ["2026-03-01", "2026-05-05", "2026-09-01"]
    assert steps(replace(locked, baseline=older[2:], between=()))[0][:10] == "2020-01-01"


def test_a_version_stands_with_its_tar_archive_rather_than_with_the_zip_or_the_wheel() -> None:
    [found] = uploads_of(project("1.0 2026-01-03 wheel, 1.0 2026-01-02 zip, 1.0 2026-01-04"))
    assert found.archive.file_name == "p-1.0.tar.gz"
    assert (found.since, found.uploaded) == ("2026-01-02T00:00:00Z", "2026-01-04T00:00:00Z")


def test_nothing_new_is_older_than_the_windows_first_upload() -> None:
    uploads = uploads_of(project("1.0 2026-01-01, 1.1rc1 2026-06-01, 1.1 2026-07-01"))
    assert first_inside(uploads, AFTER) == "2026-06-01T00:00:00Z"
