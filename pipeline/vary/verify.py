"""All gates of a release; one of variants is made again of its origin, and must be the same in every byte."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness.errors import UserError
from harness.locations import near
from harness.releases.dataset import DERIVED, MANIFEST, Release, load_release
from harness.rewordings import has_rewordings
from harness.runtime import Consent, announced
from harness.sandbox.choice import BUBBLEWRAP
from pipeline.config import VaryConfig
from pipeline.release.asking import office_again
from pipeline.release.verify import verify as verify_whole
from pipeline.release.verifying import Finding
from pipeline.vary.derived import derive
from pipeline.vary.meanings import LABELS
from pipeline.vary.prompts import derive_prompts


def verify(
    where: str, workers: int = 0, sandbox: str = BUBBLEWRAP, origin: str = "", consent: Consent = announced
) -> list[Finding]:
    """Run all gates; an empty list says that the release passes. Raises `UserError` where there is no release.

    `origin` is where the release lies that one of variants was made of, its name by default. `consent` is told before a
    runtime is made.
    """
    try:
        release = load_release(where)
    except UserError:
        # Whatever is wrong with it is told gate by gate.
        return verify_whole(where, workers, sandbox, consent)
    if DERIVED not in release.manifest:
        return verify_whole(where, workers, sandbox, consent)
    return _again(release, origin, workers, consent)


def _again(release: Release, origin: str, workers: int, consent: Consent) -> list[Finding]:
    """What differs from what is made of the same origin by the same settings."""
    said = release.manifest[DERIVED]
    first = load_release(origin or said["release"])
    if first.manifest_sha256 != said["manifest_sha256"]:
        raise UserError(
            f"{release.name} was made of another release than {first.source} (manifest {said['manifest_sha256'][:12]}, "
            f"not {first.manifest_sha256[:12]}): name that by --origin.")
    with TemporaryDirectory(prefix="code2bench-") as place, near(release.folder) as here:
        config, folder = config_of(said["settings"]), Path(place) / "again"
        if has_rewordings(release):
            office = office_again(config.model, said, here, Path(place))
            labels = [here / LABELS] if LABELS in release.manifest["files"] else []
            made = derive_prompts(first.source, config, folder, workers, office, labels).folder
        else:
            made = derive(first.source, config, folder, workers, consent).folder
        names = sorted({*release.manifest["files"], *load_release(made).manifest["files"]})
        return [
            Finding("again", name, "It is not what the origin and the settings give.")
            for name in (*names, MANIFEST) if _bytes(here / name) != _bytes(made / name)
        ]


def config_of(settings: dict[str, Any]) -> VaryConfig:
    """The settings that a manifest tells."""
    typed: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in settings.items()}
    return VaryConfig(**typed)


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None
