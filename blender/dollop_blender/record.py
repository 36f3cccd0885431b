"""Reads surface.json, the record that `dollop surface` writes beside its meshes.

Nothing in the file is trusted: each value is checked here, so that the other files can take it as it is. Needs no Blender.
"""

import json
import math
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from .errors import DollopError

FILE_NAME = "surface.json"
MAX_BYTES = 1 << 30
SHAPES = ("plane", "box", "container", "sphere", "capsule", "cylinder")
MAX_FRAME = 1_000_000                         # Blender's last frame is 1,048,574

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Material:
    name: str
    look: str
    color: Vector | None                      # linear RGB; None: use the look's own


@dataclass(frozen=True)
class Camera:
    name: str
    position: Vector                          # m
    target: Vector                            # m
    angle: float                              # vertical field of view, rad


@dataclass(frozen=True)
class Solid:
    shape: str
    position: Vector                          # m
    rotation: Vector                          # axis times angle, rad
    size: Vector                              # m
    radius: float                             # m
    length: float                             # m
    visible: bool
    color: Vector                             # linear RGB


@dataclass(frozen=True)
class Frame:
    number: int
    time: float                               # s
    meshes: dict[int, Path]                   # material (-1: all of them) to file
    solids: tuple[Solid, ...]


@dataclass(frozen=True)
class Record:
    folder: Path
    frame_rate: float                         # frames per second of simulated time; 0 for a single frame
    spacing: float                            # m
    materials: tuple[Material, ...]
    cameras: tuple[Camera, ...]
    frames: tuple[Frame, ...]                 # by rising number, at least one

    def frame_at(self, number: int) -> Frame:
        """The frame shown at NUMBER: that one, otherwise the last before it, otherwise the first."""
        after = bisect_right(self.frames, number, key=lambda frame: frame.number)
        return self.frames[max(after - 1, 0)]

    def mesh_keys(self) -> list[int]:
        """The materials that have their own meshes in any frame; -1 stands for one mesh of all materials."""
        return sorted({key for frame in self.frames for key in frame.meshes})


class _Place:
    """A value of the file with its path, so that errors can show where it is."""

    def __init__(self, value, path: str, file: Path):
        self.value, self.path, self.file = value, path, file

    def fail(self, wanted: str):
        raise DollopError(f"{self.file}: {self.path or 'the file'} must be {wanted}")

    def get(self, key: str, default=None) -> "_Place":
        if not isinstance(self.value, dict):
            self.fail("an object")
        return _Place(self.value.get(key, default), f"{self.path}.{key}".lstrip("."), self.file)

    def items(self) -> "list[_Place]":
        if not isinstance(self.value, list):
            self.fail("a list")
        return [_Place(item, f"{self.path}[{i}]", self.file) for i, item in enumerate(self.value)]

    def text(self) -> str:
        # JSON may hold unpaired surrogates and zeros, which neither Blender nor the file system accepts
        if not isinstance(self.value, str) or "\0" in self.value or self.value.encode("utf-8", "ignore").decode() != self.value:
            self.fail("a text of whole characters")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            self.fail("true or false")
        return self.value

    def whole(self, low: int, high: int) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            self.fail(f"a whole number from {low} to {high}")
        return self.value

    def number(self, low=-1e9, high=1e9) -> float:
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            self.fail(f"a number from {low:g} to {high:g}")
        return float(value)

    def vector(self, low=-1e9, high=1e9) -> Vector:
        items = self.items()
        if len(items) != 3:
            self.fail("three numbers")
        return tuple(item.number(low, high) for item in items)


def read_record(folder) -> Record:
    """Reads the record of FOLDER, which may also be the path of the surface.json itself."""
    path = Path(folder)
    file = path if path.name == FILE_NAME else path / FILE_NAME
    root = _Place(_load(file), "", file)

    materials = tuple(_material(place) for place in root.get("materials", []).items())
    frames = [_frame(place, len(materials)) for place in root.get("frames").items()]
    if not frames:
        raise DollopError(f"{file}: there are no frames in it")
    frames.sort(key=lambda frame: frame.number)
    for one, next_one in zip(frames, frames[1:]):
        if one.number == next_one.number:
            raise DollopError(f"{file}: frame {one.number} is there twice")
    return Record(
        folder=file.parent,
        frame_rate=root.get("frame_rate", 0).number(0),
        spacing=root.get("spacing").number(1e-9),
        materials=materials,
        cameras=tuple(_camera(place) for place in root.get("cameras", []).items()),
        frames=tuple(frames))


def _load(file: Path):
    try:
        if file.stat().st_size > MAX_BYTES:
            raise DollopError(f"{file}: larger than a record can be")
        return json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DollopError(f"{file}: there is no such file; `dollop surface` writes it beside the meshes") from None
    except OSError as error:
        raise DollopError(f"{file}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise DollopError(f"{file}: is not JSON: {error}") from None


def _material(place: _Place) -> Material:
    color = place.get("color", [-1, -1, -1]).vector(-1, 1e3)
    return Material(place.get("name", "").text(), place.get("look", "plain").text(), color if min(color) >= 0 else None)


def _camera(place: _Place) -> Camera:
    camera = Camera(place.get("name", "").text(), place.get("position").vector(), place.get("target").vector(),
                    place.get("angle", 0.6).number(0.01, 3.0))
    if math.dist(camera.position, camera.target) < 1e-9:
        place.fail("a camera whose position and target differ")
    return camera


def _solid(place: _Place) -> Solid:
    shape = place.get("shape").text()
    if shape not in SHAPES:
        place.get("shape").fail("one of " + ", ".join(SHAPES))
    return Solid(shape, place.get("position").vector(), place.get("rotation", [0, 0, 0]).vector(),
                 place.get("size", [1, 1, 1]).vector(0), place.get("radius", 0.5).number(0),
                 place.get("length", 1).number(0), place.get("visible", True).flag(),
                 place.get("color", [0.6, 0.6, 0.6]).vector(0, 1e3))


def _frame(place: _Place, material_count: int) -> Frame:
    meshes = {}
    for mesh in place.get("meshes", []).items():
        material = mesh.get("material", -1).whole(-1, material_count - 1)
        if material in meshes:
            mesh.get("material").fail("named once in a frame")
        meshes[material] = _file_beside(mesh.get("file"))
    return Frame(place.get("number").whole(0, MAX_FRAME), place.get("time", 0).number(-1e9, 1e9), meshes,
                 tuple(_solid(solid) for solid in place.get("solids", []).items()))


def _file_beside(place: _Place) -> Path:
    """A record from elsewhere must not make us open other files of this machine, so only plain names in its folder are allowed."""
    name = place.text()
    if name in ("", ".", "..") or any(c in name for c in '/\\:'):
        place.fail(f"the plain name of a file in the same folder, not {name!r}")
    path = place.file.parent / name
    if path.is_symlink() and path.resolve().parent != place.file.parent.resolve():
        place.fail(f"a file in the same folder; {name} is a link that leads out of it")
    return path
