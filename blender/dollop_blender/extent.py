"""The size of a sequence, for the camera and for the absorption depth. Needs no Blender."""

from dataclasses import dataclass

import numpy as np

from .ply import Surface, read_ply
from .record import Record

SAMPLED_FRAMES = 12                           # of a sequence, which may be long
SAMPLED_POINTS = 500                          # of a mesh


@dataclass(frozen=True)
class Extent:
    low: np.ndarray                           # corners of the box around the fluid in all frames, m
    high: np.ndarray
    points: np.ndarray                        # points of its surface, or corners of surrounding solids: what the camera must show
    body: float                               # edge of a cube with the volume of the fluid, m: the length scale of absorption

    @property
    def center(self) -> np.ndarray:
        return (self.low + self.high) / 2

    @property
    def radius(self) -> float:
        return float(np.linalg.norm(self.high - self.low)) / 2


def measure(record: Record) -> Extent:
    """Measures the whole sequence, so that neither camera nor colours change from frame to frame."""
    low, high, volume, points = np.full(3, np.inf), np.full(3, -np.inf), 0.0, []
    chosen = np.unique(np.linspace(0, len(record.frames) - 1, SAMPLED_FRAMES).round().astype(int))
    for index in chosen:
        surfaces = [read_ply(file) for file in record.frames[index].meshes.values()]
        surfaces = [surface for surface in surfaces if len(surface.triangles)]
        for surface in surfaces:
            low = np.minimum(low, surface.positions.min(axis=0))
            high = np.maximum(high, surface.positions.max(axis=0))
            points.append(surface.positions[::max(1, len(surface.positions) // SAMPLED_POINTS)])
        volume = max(volume, sum(_volume(surface) for surface in surfaces))
    if not points:                            # no fluid at all: use a default size
        low, high = np.full(3, -0.5), np.full(3, 0.5)
        points = [np.stack([low, high])]
    body = max(volume, record.spacing ** 3) ** (1 / 3)
    return Extent(low.astype(float), high.astype(float), np.concatenate(points).astype(float), body)


def _volume(surface: Surface) -> float:
    a, b, c = (surface.positions[surface.triangles[:, k]].astype(float) for k in range(3))
    return abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6
