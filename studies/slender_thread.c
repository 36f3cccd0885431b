/* The axial force in a slender thread of radius h and cross section A is the same everywhere,
 *
 *     F = 3 eta A u' + A G (Q_zz - Q_rr) + sigma pi (h / s + h^2 h'' / s^3),   s = sqrt(1 + h'^2),
 *
 * with the whole curvature of the surface (Eggers and Dupont, J. Fluid Mech. 262, 1994). Each slice keeps its volume, so dA/dt = -A u'; the sum
 * of their lengths stays, which determines F. */
#include "studies/slender_thread.h"

#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

/* Slices at the neck are this much shorter than those at the bulge at the start; they become longer. */
#define GRADING 8.0

/* Part of the longest stable step that is taken. */
#define STEP_PART 0.2

static double radius_of(double area)
{
    return sqrt(area / PI);
}

void slender_start(SlenderThread *thread, const SlenderFluid *fluid, double radius, double length, double amplitude)
{
    const double k = 2 * PI / length, mean = radius / sqrt(1 + amplitude * amplitude / 2);
    double total = 0, z = 0;
    thread->fluid = *fluid;
    thread->time = 0;
    for (int n = 0; n < SLENDER_SLICES; n++) {
        total += pow(GRADING, -(double)n / SLENDER_SLICES);
    }
    for (int n = 0; n < SLENDER_SLICES; n++) {
        const double slice = length / 2 * pow(GRADING, -(double)n / SLENDER_SLICES) / total;
        const double h = mean * (1 + amplitude * cos(k * (z + slice / 2)));
        thread->area[n] = PI * h * h;
        thread->volume[n] = thread->area[n] * slice;
        thread->axial[n] = thread->radial[n] = 1;
        z += slice;
    }
}

/* Pull of the surface over pi sigma (m): h / s + h^2 h'' / s^3. The thread is symmetric about both ends. */
static void find_pulls(const SlenderThread *thread, double pull[SLENDER_SLICES])
{
    double slope = 0;
    for (int n = 0; n < SLENDER_SLICES; n++) {
        const double h = radius_of(thread->area[n]), length = thread->volume[n] / thread->area[n];
        const bool last = n + 1 == SLENDER_SLICES;
        const double next = last ? h : radius_of(thread->area[n + 1]);
        const double next_length = last ? length : thread->volume[n + 1] / thread->area[n + 1];
        const double next_slope = (next - h) / ((length + next_length) / 2);
        const double s = sqrt(1 + (slope + next_slope) * (slope + next_slope) / 4);
        pull[n] = h / s + h * h * (next_slope - slope) / length / (s * s * s);
        slope = next_slope;
    }
}

/* Rates of extension (1/s) of the slices, which keep their total length. */
static void find_rates(const SlenderThread *thread, double rate[SLENDER_SLICES])
{
    double force[SLENDER_SLICES], sum = 0, weight = 0;
    find_pulls(thread, force);
    for (int n = 0; n < SLENDER_SLICES; n++) {
        const double area = thread->area[n], length = thread->volume[n] / area;
        force[n] = PI * thread->fluid.tension * force[n] +
                   area * thread->fluid.modulus * (thread->axial[n] - thread->radial[n]);
        sum += force[n] * length / area;
        weight += length / area;
    }
    for (int n = 0; n < SLENDER_SLICES; n++) {
        rate[n] = (sum / weight - force[n]) / (3 * thread->fluid.viscosity * thread->area[n]);
    }
}

/* `to` is `from` after dt at the rates of extension of `at`. The relaxation of the conformation is exact at a constant rate. */
static void extend(const SlenderThread *from, const SlenderThread *at, double dt, SlenderThread *to)
{
    double rate[SLENDER_SLICES];
    const bool elastic = from->fluid.modulus > 0;
    const double relaxation = elastic ? 1 / from->fluid.relaxation_time : 0;
    find_rates(at, rate);
    for (int n = 0; n < SLENDER_SLICES; n++) {
        const double u = rate[n], axial = 2 * u - relaxation, radial = -u - relaxation;
        to->area[n] = from->area[n] * exp(-u * dt);
        if (elastic) {
            to->axial[n] = from->axial[n] + (axial * at->axial[n] + relaxation) * dt;
            to->radial[n] = from->radial[n] + (radial * at->radial[n] + relaxation) * dt;
        }
    }
    to->time = from->time + dt;
}

/* s: curvature diffuses along the thread with the coefficient sigma h / (6 eta), and the stress of the surface of a short slice grows with it. */
static double stable_step(const SlenderThread *thread)
{
    double step = INFINITY;
    for (int n = 0; n < SLENDER_SLICES; n++) {
        const double h = radius_of(thread->area[n]), length = thread->volume[n] / thread->area[n];
        const double stretched = 1 + thread->fluid.modulus * thread->axial[n] / thread->fluid.viscosity;
        step = fmin(step, 3 * length * length * thread->fluid.viscosity / (thread->fluid.tension * h));
        step = fmin(step, 1 / stretched);
    }
    return STEP_PART * step;
}

void slender_advance(SlenderThread *thread, double time)
{
    SlenderThread half = *thread;
    while (thread->time < time) {
        const double dt = fmin(stable_step(thread), time - thread->time);
        extend(thread, thread, dt / 2, &half);
        extend(thread, &half, dt, thread);
        if (time - thread->time < 1e-9) {
            return;
        }
    }
}

double slender_window(double away, double length)
{
    return fabs(away) < length / 2 ? (1 + cos(2 * PI * away / length)) / length : 0;
}

/* Integral of the window from the middle of the neck. */
static double window_integral(double away, double length)
{
    const double x = fmin(away, length / 2);
    return x / length + sin(2 * PI * x / length) / (2 * PI);
}

double slender_neck(const SlenderThread *thread, double length)
{
    double sum = 0, away = 0;
    for (int n = SLENDER_SLICES - 1; n >= 0; n--) {
        const double next = away + thread->volume[n] / thread->area[n];
        sum += 2 * thread->area[n] * (window_integral(next, length) - window_integral(away, length));
        away = next;
    }
    return radius_of(sum);
}

double slender_amplitude(const SlenderThread *thread)
{
    double half = 0, z = 0, sum = 0, volume = 0;
    for (int n = 0; n < SLENDER_SLICES; n++) {
        half += thread->volume[n] / thread->area[n];
    }
    for (int n = 0; n < SLENDER_SLICES; n++) {
        const double slice = thread->volume[n] / thread->area[n];
        sum += thread->volume[n] * cos(PI * (z + slice / 2) / half);
        volume += thread->volume[n];
        z += slice;
    }
    return sum / volume;
}
