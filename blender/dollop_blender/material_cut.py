"""Cuts a mesh of several materials along their borders, so that each triangle has one material and borders are smooth lines."""

import numpy as np

from .ply import Surface


def cut_by_material(surface: Surface) -> tuple[Surface, np.ndarray]:
    """Cuts triangles with vertices of two materials where the field `material` is halfway between them. Returns the
    new surface and the material of each triangle."""
    value = np.clip(np.nan_to_num(surface.fields["material"]), 0, 65535)
    kind = np.rint(value).astype(np.int32)
    corners = kind[surface.triangles]
    low, high = corners.min(axis=1, initial=65535), corners.max(axis=1, initial=0)
    ends = (corners == low[:, None]) | (corners == high[:, None])
    mixed = (low != high) & ends.all(axis=1)
    whole = surface.triangles[~mixed]
    slots = np.rint(value[whole].mean(axis=1)).astype(np.int32)
    if not mixed.any():
        return surface, slots

    # Rotate each so that the vertex with the differing material comes first: a against b and c
    is_high = corners[mixed] == high[mixed, None]
    alone = np.where(is_high.sum(axis=1)[:, None] == 1, is_high, ~is_high).argmax(axis=1)
    a, b, c = np.take_along_axis(surface.triangles[mixed], (alone[:, None] + np.arange(3)) % 3, axis=1).T

    edges = np.sort(np.concatenate([np.stack([a, b], 1), np.stack([a, c], 1)]), axis=1)
    edges, place = np.unique(edges, axis=0, return_inverse=True)
    p, q = edges.T
    level = 0.5 * (kind[p] + kind[q])
    part = np.clip((level - value[p]) / (value[q] - value[p]), 0.01, 0.99)

    first = len(surface.positions)
    ab, ac = np.split((first + place.ravel()).astype(np.int32), 2)
    triangles = np.concatenate([whole, np.stack([a, ab, ac], 1), np.stack([ab, b, c], 1), np.stack([ab, c, ac], 1)])
    slots = np.concatenate([slots, kind[a], kind[b], kind[b]])
    return Surface(_with_cuts(surface.positions, p, q, part),
                   None if surface.normals is None else _with_cuts(surface.normals, p, q, part),
                   triangles.astype(np.int32),
                   {name: _with_cuts(values, p, q, part) for name, values in surface.fields.items()}), slots


def _with_cuts(values: np.ndarray, p: np.ndarray, q: np.ndarray, part: np.ndarray) -> np.ndarray:
    """VALUES, followed by the interpolated values between the points P and Q."""
    share = part if values.ndim == 1 else part[:, None]
    return np.concatenate([values, values[p] + share * (values[q] - values[p])]).astype(values.dtype)
