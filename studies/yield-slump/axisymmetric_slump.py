#!/usr/bin/env python3
"""Slump of a Bingham fluid without inertia and without particles: the reference of study yield-slump.

Axisymmetric Stokes flow in Taylor-Hood finite elements (NumPy and SciPy) on a fan of triangles around the point where axis and floor meet. The
free surface moves with the flow; a point of it that reaches the floor sticks there. The viscosity is plastic + yield / sqrt(rate^2 + eps^2)
with eps 0.002 of the speed over the height. Ends when the viscous stress is 0.3 % of the yield stress.

    axisymmetric_slump.py height=0.3 bottom=0.1 top=0.05 yield=500 viscosity=100
"""
import sys

import numpy as np
import scipy.sparse as sparse
from scipy.interpolate import PchipInterpolator
from scipy.sparse.linalg import splu

given = dict(word.split('=') for word in sys.argv[1:])
HEIGHT, BOTTOM = float(given.get('height', 0.3)), float(given.get('bottom', 0.1))
TOP = float(given.get('top', BOTTOM))
YIELD, VISCOSITY = float(given.get('yield', 500)), float(given.get('viscosity', 100))
WEIGHT = 1000 * 9.81  # N/m3
RAYS, RINGS = int(given.get('rays', 24)), int(given.get('rings', 10))
MOVE = float(given.get('move', 0.01))  # of the height or radius, in a step
SOFT, STOP, PICARD, CHANGE = 2e-3, 3e-3, 12, 3e-3


def vertex(ring, ray):
    """Number of a vertex; 0 is the centre, ray 0 the axis, ray RAYS the floor, ring RINGS the surface."""
    return 0 if ring == 0 else 1 + (ring - 1) * (RAYS + 1) + ray


def make_mesh():
    triangles = [(0, vertex(1, j + 1), vertex(1, j)) for j in range(RAYS)]
    for i in range(1, RINGS):
        for j in range(RAYS):
            a, b, c, d = vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)
            triangles += [(a, d, c), (a, c, b)] if j < RAYS / 2 else [(a, d, b), (d, c, b)]
    triangles = np.array(triangles)
    count = 1 + RINGS * (RAYS + 1)
    middles = {}
    nodes = np.zeros((len(triangles), 6), int)
    nodes[:, :3] = triangles
    for e, corners in enumerate(triangles):
        for k in range(3):
            edge = tuple(sorted((corners[k], corners[(k + 1) % 3])))
            nodes[e, 3 + k] = middles.setdefault(edge, count + len(middles))
    return triangles, nodes, count, middles


TRIANGLES, NODES, VERTICES, MIDDLES = make_mesh()
ALL = VERTICES + len(MIDDLES)
SURFACE = np.array([vertex(RINGS, j) for j in range(RAYS + 1)])


def nodes_on(ray):
    corners = {vertex(i, ray) for i in range(RINGS + 1)}
    return np.array(sorted(corners | {n for (a, b), n in MIDDLES.items() if a in corners and b in corners}))


FREE = np.ones(2 * ALL, bool)  # unknown velocities (r, z of each node)
FREE[2 * nodes_on(0)] = False
FREE[2 * nodes_on(RAYS)] = FREE[2 * nodes_on(RAYS) + 1] = False
UNKNOWNS = np.stack([2 * NODES, 2 * NODES + 1], 2).reshape(len(TRIANGLES), 12)

# quadrature of degree 4, linear and quadratic shapes in its points
_far, _near = 0.445948490915965, 0.091576213509771
POINTS = np.array([(1 - 2 * _far, _far), (1 - 2 * _near, _near), (_far, _far), (_near, _near), (_far, 1 - 2 * _far),
                   (_near, 1 - 2 * _near)])
POINT_WEIGHT = np.array([0.223381589678011, 0.109951743655322] * 3) / 2
LINEAR = np.stack([1 - POINTS.sum(1), POINTS[:, 0], POINTS[:, 1]], 1)
LINEAR_SLOPE = np.array([[-1, -1], [1, 0], [0, 1]], float)
QUADRATIC = np.concatenate([LINEAR * (2 * LINEAR - 1), 4 * LINEAR * np.roll(LINEAR, -1, 1)], 1)
QUADRATIC_SLOPE = np.zeros((6, 6, 2))
for _k in range(3):
    _m = (_k + 1) % 3
    QUADRATIC_SLOPE[:, _k] = (4 * LINEAR[:, _k] - 1)[:, None] * LINEAR_SLOPE[_k]
    QUADRATIC_SLOPE[:, 3 + _k] = 4 * (LINEAR[:, _k, None] * LINEAR_SLOPE[_m] + LINEAR[:, _m, None] * LINEAR_SLOPE[_k])
TWICE = np.array([1.0, 1.0, 1.0, 2.0])  # D_rr, D_zz, D_tt, D_rz


def strain_of_nodes(surface):
    """Rate of strain in the quadrature points per velocity of a node, and the volumes of the points."""
    place = np.zeros((VERTICES, 2))
    for i in range(1, RINGS + 1):
        place[vertex(i, 0):vertex(i, RAYS) + 1] = surface * (i / RINGS)
    corners = place[TRIANGLES]
    jacobian = np.einsum('eka,kb->eab', corners, LINEAR_SLOPE)
    slope = np.einsum('qkb,eba->eqka', QUADRATIC_SLOPE, np.linalg.inv(jacobian))
    r = np.einsum('qk,ek->eq', LINEAR, corners[:, :, 0])
    volume = np.linalg.det(jacobian)[:, None] * POINT_WEIGHT * r * 2 * np.pi
    strain = np.zeros(r.shape + (4, 12))
    strain[:, :, 0, 0::2] = slope[..., 0]
    strain[:, :, 1, 1::2] = slope[..., 1]
    strain[:, :, 2, 0::2] = QUADRATIC / r[..., None]
    strain[:, :, 3, 0::2] = slope[..., 1] / 2
    strain[:, :, 3, 1::2] = slope[..., 0] / 2
    return strain, volume


def solve(surface, velocity, soft):
    """Velocities of all nodes: Picard iterations from those of the last step."""
    strain, volume = strain_of_nodes(surface)
    divergence = np.einsum('eq,qk,eqd->ekd', volume, LINEAR, strain[:, :, :3].sum(2))
    rows = np.repeat(TRIANGLES[:, :, None], 12, 2).ravel()
    columns = np.repeat(UNKNOWNS[:, None, :], 3, 1).ravel()
    divergence = sparse.csr_matrix((divergence.ravel(), (rows, columns)), (VERTICES, 2 * ALL))[:, FREE]
    force = np.zeros(2 * ALL)
    np.add.at(force, 2 * NODES + 1, -WEIGHT * np.einsum('eq,qk->ek', volume, QUADRATIC))
    right = np.concatenate([force[FREE], np.zeros(VERTICES)])
    rows = np.repeat(UNKNOWNS[:, :, None], 12, 2).ravel()
    columns = np.repeat(UNKNOWNS[:, None, :], 12, 1).ravel()
    for _ in range(PICARD):
        rates = np.einsum('eqcd,ed->eqc', strain, velocity[UNKNOWNS])
        rate = np.sqrt(2 * (rates**2 * TWICE).sum(2))
        viscosity = VISCOSITY + YIELD / np.sqrt(rate**2 + soft**2)
        matrix = np.einsum('eq,eqca,c,eqcb->eab', 2 * viscosity * volume, strain, TWICE, strain, optimize=True)
        matrix = sparse.csr_matrix((matrix.ravel(), (rows, columns)), (2 * ALL,) * 2)[FREE][:, FREE]
        system = sparse.bmat([[matrix, -divergence.T], [-divergence, None]], 'csc')
        new = np.zeros(2 * ALL)
        new[FREE] = splu(system).solve(right)[:FREE.sum()]
        change = np.abs(new - velocity).max() / np.abs(new).max()
        velocity = new
        if change < CHANGE:
            break
    return velocity


def volume_of(surface):
    r, z = surface.T
    return np.pi / 3 * np.sum((r[1:]**2 + r[1:] * r[:-1] + r[:-1]**2) * (z[:-1] - z[1:]))


def spread_evenly(surface):
    length = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(surface, axis=0).T))])
    at = np.linspace(0, length[-1], RAYS + 1)
    return np.stack([PchipInterpolator(length, surface[:, k])(at) for k in (0, 1)], 1)


def stick_to_floor(surface):
    below = np.nonzero(surface[:-1, 1] <= 0)[0]
    if len(below) == 0:
        return surface
    k = below[0]
    part = surface[k - 1, 1] / (surface[k - 1, 1] - surface[k, 1])
    return np.concatenate([surface[:k], [surface[k - 1] + part * (surface[k] - surface[k - 1])]])


def first_surface():
    side = np.hypot(BOTTOM - TOP, HEIGHT)
    flat = max(2, round(RAYS * TOP / (TOP + side)))
    top = [(TOP * k / flat, HEIGHT) for k in range(flat)]
    steep = RAYS - flat
    return np.array(top + [(TOP + (BOTTOM - TOP) * k / steep, HEIGHT * (1 - k / steep)) for k in range(steep + 1)])


def main():
    surface, velocity, time = first_surface(), np.zeros(2 * ALL), 0.0
    volume, soft = volume_of(surface), SOFT * WEIGHT * HEIGHT / VISCOSITY
    for step in range(2000):
        velocity = solve(surface, velocity, soft)
        moving = np.stack([velocity[2 * SURFACE], velocity[2 * SURFACE + 1]], 1)
        fastest, height = np.hypot(*moving.T).max(), surface[0, 1]
        rests = VISCOSITY * fastest / height < STOP * YIELD
        if step % 10 == 0 or rests:
            print(f'{time:.3f} s: height on the axis {1e3 * height:.2f} mm, at most {1e3 * surface[:, 1].max():.2f}, '
                  f'radius {1e3 * surface[:, 0].max():.2f}, speed {1e3 * fastest:.3g} mm/s', flush=True)
        if rests:
            break
        soft = SOFT * fastest / height
        step = MOVE * min(height, surface[-1, 0]) / fastest
        time += step
        surface = surface + step * moving
        surface[0, 0] = 0
        surface = spread_evenly(stick_to_floor(surface))
        surface[0, 0] = surface[-1, 1] = 0
        surface *= (volume / volume_of(surface))**(1 / 3)


if __name__ == '__main__':
    main()
