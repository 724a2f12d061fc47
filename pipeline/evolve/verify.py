"""An evolved release is made again of its origin, and must be the same in every byte."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from harness.errors import UserError
from harness.locations import near
from harness.releases.dataset import DERIVED, MANIFEST, Release, load_release
from harness.runtime import Consent, announced
from pipeline.evolve.derived import BY, config_of, derive
from pipeline.release.asking import office_again
from pipeline.release.verifying import Finding


def is_evolved(where: str) -> bool:
    """Whether a release can be read, and says that `evolve` has made it."""
    try:
        return bool(load_release(where, ()).manifest.get(DERIVED, {}).get("by") == BY)
    except UserError:
        return False


def verify(where: str, workers: int = 0, origin: str = "", consent: Consent = announced) -> list[Finding]:
    """What differs from what is made of the same origin by the same settings; raises `UserError`."""
    release = load_release(where)
    said = release.manifest[DERIVED]
    first = load_release(origin or said["release"])
    if first.manifest_sha256 != said["manifest_sha256"]:
        raise UserError(
            f"{release.name} was made of another release than {first.source} (manifest {said['manifest_sha256'][:12]}, "
            f"not {first.manifest_sha256[:12]}): name that by --origin.")
    return _again(release, first, workers, consent)


def _again(release: Release, first: Release, workers: int, consent: Consent) -> list[Finding]:
    said = release.manifest[DERIVED]
    with TemporaryDirectory(prefix="code2bench-") as place, near(release.folder) as here:
        folder, only, config = Path(place) / "again", said.get("only", ()), config_of(said["settings"])
        office = office_again(config.model, said, here, Path(place))
        made = derive(first.source, config, folder, workers, only, consent, office)
        names = sorted({*release.manifest["files"], *load_release(str(made.folder)).manifest["files"]})
        return [
            Finding("again", name, "It is not what the origin and the settings give.")
            for name in (*names, MANIFEST) if _bytes(here / name) != _bytes(made.folder / name)
        ]


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
