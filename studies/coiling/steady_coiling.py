#!/usr/bin/env python3
"""Reference figures of the study `coiling`: steady coiling of a slender viscous rope as a boundary-value problem.

Ribe (2004), Coiling of viscous jets, Proc. R. Soc. A 460, 3223; here with vectors in Cartesian components of the frame that
rotates with the coil (angular velocity Omega about z), which needs no material triad because the cross-section is round.

With arc length s from the nozzle, position x, tangent t, axial speed U, angular velocity w of a cross-section relative to the
frame, force N and moment M on the cross-section, area A = Q / U and second moment of area I = A^2 / (4 pi):

    x' = t                       t' = w x t / U                    U' = N.t / (3 mu A)
    w' = (M - (M.t) t) / (3 mu I) + (M.t) t / (2 mu I)             M' = -t x N
    N' = rho A (U (U t)' + 2 Omega ez x U t - Omega^2 (x, y, 0) + g ez)

Nozzle:  x = (0, 0, H), t = -ez, U = U0, w = -Omega ez (no rotation in the laboratory).
Contact: z = 0, y = 0, velocity zero relative to a floor that sinks at V (U t + Omega ez x x = -V ez), w = -Omega ez.
Unknown besides the functions: length L and Omega. The coil's radius is R = x at the contact. Rotary inertia, of higher order in the
thickness, and surface tension are left out.

Unit length H, unit speed U0, unit force 3 mu I0 U0 / H^3. Requires numpy and scipy. Prints rows for coiling.c; with --laws the
factors of the three scaling laws for a thin rope.
"""
import sys

import numpy as np
from scipy.integrate import solve_bvp


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def equations(thickness, gravity, inertia):
    """thickness a0 / H; gravity 4 g H^4 / (3 nu U0 a0^2); inertia 4 U0 H^3 / (3 nu a0^2)."""

    def derivative(_, y, p):
        length, omega = p
        x, t, u, w, n, m = y[0:3], y[3:6], y[6], y[7:10], y[10:13], y[13:16]
        turning = cross(w, t) / u
        stretching = thickness**2 / 4 * u * (n * t).sum(0)
        bending = u**2 * (m + 0.5 * (m * t).sum(0) * t)
        zero = np.zeros_like(u)
        acceleration = u * stretching * t + u * u * turning
        acceleration += 2 * omega * u * np.array([-t[1], t[0], zero]) - omega**2 * np.array([x[0], x[1], zero])
        force = inertia * acceleration / u
        force[2] += gravity / u
        return length * np.vstack([t, turning, stretching[None], bending, force, -cross(t, n)])

    return derivative


def conditions(sinking):
    def residual(a, b, p):
        omega = p[1]
        nozzle = [a[0], a[1], a[2] - 1, a[3], a[4], a[5] + 1, a[6] - 1, a[7], a[8], a[9] + omega]
        contact = [b[2], b[1], b[3], b[6] * b[5] + sinking, b[6] * b[4] + omega * b[0], b[7], b[8], b[9] + omega]
        return np.array(nozzle + contact)

    return residual


def first_guess(radius=0.25, nodes=60):
    """A Bezier curve from the nozzle to a circle of this radius, of constant speed, with spin that fades."""
    points = np.array([[0, 0, 1], [0, 0, 0.5], [radius, 0.75 * radius, 0], [radius, 0, 0]])

    def curve(u):
        weights = np.array([(1 - u)**3, 3 * u * (1 - u)**2, 3 * u * u * (1 - u), u**3])
        return weights.T @ points

    fine = np.linspace(0, 1, 2000)
    arc = np.r_[0, np.cumsum(np.linalg.norm(np.diff(curve(fine), axis=0), axis=1))]
    s = np.linspace(0, 1, nodes)
    x = curve(np.interp(s * arc[-1], arc, fine))
    t = np.gradient(x, s * arc[-1], axis=0)
    t /= np.linalg.norm(t, axis=1)[:, None]
    t[0], t[-1] = [0, 0, -1], [0, -1, 0]
    omega = 1 / radius
    w = np.cross(t, np.gradient(t, s * arc[-1], axis=0)) + (omega * (1 - s))[:, None] * t
    w[0] = w[-1] = [0, 0, -omega]
    m = np.gradient(w, s * arc[-1], axis=0)
    m -= (m * t).sum(1)[:, None] * t / 3
    return s, np.vstack([x.T, t.T, np.ones((1, nodes)), w.T, np.zeros((3, nodes)), m.T]), np.array([arc[-1], omega])


class Rope:
    """Height over radius at the nozzle; g a0^2 / (nu U0); U0 a0 / nu; sinking of the floor per turn in rope diameters."""

    def __init__(self, height, gravity, reynolds, stacking, tolerance=1e-3):
        self.height, self.tolerance = height, tolerance
        self.x, self.y, self.p = first_guess()
        self.solve(50, 0, 0, 0)
        for h in np.geomspace(50, height, 8)[1:]:
            self.solve(h, 0, 0, 0)
        for part in np.linspace(0, 1, 12)[1:]:
            self.solve(height, gravity * part**3, reynolds * part**3, 0)
        for part in [0.25, 0.5, 0.75, 1, 1, 1] if stacking else []:
            turn = 2 * np.pi / self.p[1]
            self.solve(height, gravity, reynolds, part * stacking * 2 / np.sqrt(self.y[6, -1]) / height / turn)

    def solve(self, h, gravity, reynolds, sinking):
        found = solve_bvp(equations(1 / h, 4 / 3 * gravity * h**4, 4 / 3 * reynolds * h**3), conditions(sinking), self.x,
                          self.y, self.p, tol=self.tolerance, max_nodes=5000)
        if found.status:
            raise RuntimeError(found.message)
        self.x, self.y, self.p = found.x, found.y, found.p

    omega = property(lambda self: self.p[1] / self.height)           # in U0 / a0
    radius = property(lambda self: self.y[0, -1] * self.height)      # in a0
    speed = property(lambda self: self.y[6, -1])                     # in U0

    def orbit(self, part):
        """Distance from the axis, in a0, at this part of the height."""
        k = np.argmax(self.y[2] < part)
        rows = [np.interp(-part, -self.y[2, k - 1:k + 1], self.y[axis, k - 1:k + 1]) for axis in (0, 1)]
        return np.hypot(*rows) * self.height


def print_rows():
    for name, gravity, reynolds, heights in [("viscous", 0, 5e-4, (12, 14, 16)), ("gravitational", 0.01, 1e-3, (16, 18, 20)),
                                             ("inertial", 0, 0.05, (18, 20, 22))]:
        for height in heights:
            r = Rope(height, gravity, reynolds, 0.5)
            print(f"{name:14} {{{height}, {r.omega:.4f}, {r.radius:.3f}, {r.orbit(0.3):.3f}, {r.speed:.4f}}},", flush=True)


def print_laws():
    """For a rope of height 50 radii."""
    for gravity, reynolds in [(0, 0), (3e-4, 0), (1e-3, 0), (0, 5e-3), (0, 1e-2), (0, 2e-2)]:
        r = Rope(50, gravity, reynolds, 0)
        a1, q = r.speed**-0.5, np.pi
        print(f"g a0^2 / (nu U0) {gravity:g}, Re {reynolds:g}: Omega H / U1 {r.omega * 50 / r.speed:.3f}", end="")
        print(f", R / H {r.radius / 50:.4f}", end="")
        if gravity:
            print(f", Omega / (g Q^3 / (nu a1^8))^(1/4) {r.omega / (gravity * q**3 / a1**8)**0.25:.3f}", end="")
        if reynolds:
            print(f", Omega / (Q^4 / (nu a1^10))^(1/3) {r.omega / (reynolds * q**4 / a1**10)**(1 / 3):.3f}", end="")
        print(flush=True)


if __name__ == "__main__":
    print_laws() if "--laws" in sys.argv[1:] else print_rows()
