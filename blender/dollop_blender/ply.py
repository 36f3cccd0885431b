"""Reads the binary PLY files of `dollop surface`: triangles, and float properties at the vertices. Needs no Blender.

The sizes that a header tells are compared with the size of the file before anything is allocated.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .errors import DollopError

MAX_HEADER = 1 << 16
_FACE = np.dtype([("count", "u1"), ("corners", "<i4", 3)])


@dataclass(frozen=True)
class Surface:
    positions: np.ndarray                     # (n, 3) float32, m
    normals: np.ndarray | None                # (n, 3)
    triangles: np.ndarray                     # (m, 3) int32
    fields: dict[str, np.ndarray]             # the others by name, (n,), or (n, 3) from NAME_x, NAME_y, NAME_z


def read_ply(path: Path) -> Surface:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise DollopError(f"{path}: there is no such file, although surface.json names it") from None
    except OSError as error:
        raise DollopError(f"{path}: cannot be read: {error.strerror}") from None
    names, vertex_count, face_count, start = _header(path, data)

    row = 4 * len(names)
    size = start + row * vertex_count + _FACE.itemsize * face_count
    if len(data) != size:
        kind = "cut short" if len(data) < size else "too long"
        raise DollopError(f"{path}: {kind}: its header promises {vertex_count} vertices and {face_count} triangles, "
                          f"{size} bytes, but there are {len(data)}")
    table = np.frombuffer(data, "<f4", vertex_count * len(names), start).reshape(vertex_count, len(names))
    faces = np.frombuffer(data, _FACE, face_count, start + row * vertex_count)

    triangles = faces["corners"]
    if face_count and not (faces["count"] == 3).all():
        raise DollopError(f"{path}: has faces that are not triangles")
    if face_count and (triangles.min() < 0 or triangles.max() >= vertex_count):
        raise DollopError(f"{path}: has triangles with corners that do not exist")
    if not np.isfinite(table).all():
        raise DollopError(f"{path}: has values that are not numbers")
    return _surface(path, names, table, np.ascontiguousarray(triangles))


def _header(path: Path, data: bytes) -> tuple[list[str], int, int, int]:
    """Names of the vertex properties, numbers of vertices and triangles, and the offset of the data."""
    if not data.startswith(b"ply\n"):
        raise DollopError(f"{path}: is not a PLY file")
    end = data.find(b"\nend_header\n", 0, MAX_HEADER)
    if end < 0:
        raise DollopError(f"{path}: its header has no end")
    lines = [line.split() for line in data[:end].decode("ascii", "replace").split("\n")[1:]]
    lines = [words for words in lines if words and words[0] not in ("comment", "obj_info")]

    if lines[:1] != [["format", "binary_little_endian", "1.0"]]:
        raise DollopError(f"{path}: is not binary little endian, as `dollop surface` writes it")
    if len(lines) < 4 or lines[-1] != ["property", "list", "uchar", "int", "vertex_indices"]:
        raise DollopError(f"{path}: its header must end with a list of vertex indices")
    vertex_count = _count(path, lines[1], "vertex")
    face_count = _count(path, lines[-2], "face")
    names = []
    for words in lines[2:-2]:
        if len(words) != 3 or words[:2] != ["property", "float"]:
            raise DollopError(f"{path}: a vertex may have float properties only, not '{' '.join(words)}'")
        names.append(words[2])
    if len(set(names)) != len(names) or not {"x", "y", "z"} <= set(names):
        raise DollopError(f"{path}: a vertex needs x, y, z, and each property once")
    return names, vertex_count, face_count, end + len(b"\nend_header\n")


def _count(path: Path, words: list[str], element: str) -> int:
    if words[:2] != ["element", element] or len(words) != 3 or not (words[2].isascii() and words[2].isdigit()):
        raise DollopError(f"{path}: its header needs a line 'element {element} COUNT'")
    if len(words[2]) > 10 or int(words[2]) >= 1 << 31:
        raise DollopError(f"{path}: promises {words[2]} of {element}, more than a mesh can have")
    return int(words[2])


def _surface(path: Path, names: list[str], table: np.ndarray, triangles: np.ndarray) -> Surface:
    column = {name: i for i, name in enumerate(names)}

    def take(*wanted: str) -> np.ndarray | None:
        if not all(name in column for name in wanted):
            return None
        return np.ascontiguousarray(table[:, [column[name] for name in wanted]])

    fields = {}
    for name in names:
        if name in ("x", "y", "z", "nx", "ny", "nz"):
            continue
        stem = name[:-2]
        vector = take(*(f"{stem}_{axis}" for axis in "xyz")) if name[-2:] in ("_x", "_y", "_z") else None
        if vector is None:
            fields[name] = take(name)[:, 0]
        else:
            fields[stem] = vector
    return Surface(take("x", "y", "z"), take("nx", "ny", "nz"), triangles, fields)
