/* A slender thread of fluid under surface tension in one dimension: slices of constant volume under a common axial force, without inertia.
 *
 * The axial force in a thread of radius h and cross section A is the same everywhere,
 *
 *     F = 3 eta A u' + A sum G (Q_zz - Q_rr) + sigma pi (h / s + h^2 h'' / s^3),   s = sqrt(1 + h'^2),
 *
 * with the whole curvature of the surface, h'' / s^3 = (h' / s)' (Eggers and Dupont, J. Fluid Mech. 262, 1994). Each slice keeps its volume, so
 * dA/dt = -A u'; the sum of their lengths stays, which determines F.
 *
 * Lengths are in radii of the neck at the start, stresses in sigma over that, times in viscosity over that stress. */
#include "base/error.h"
#include "materials/flow_law.h"
#include "materials/law_parts.h"

#include <dollop/rheology.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

enum { SLICES = 60, STEPS_MOST = 4000000 };

/* Slices at the neck are this much shorter than those at the bulge at the start; they become longer. */
static const double GRADING = 8.0;

static const double STEP_PART = 0.2;       /* part of the longest stable step that is taken */
static const double LEAST_SOLVENT = 0.002; /* part of the viscosity; equations without a solvent are too stiff */
static const double PINCHED = 1e-3;        /* radius of a neck that has broken */

/* Half a period, from the middle of the bulge to the middle of the neck. */
typedef struct Thread {
    int mode_count;
    double viscosity, modulus[DLP_MODES_MOST], relaxation_time[DLP_MODES_MOST];
    double time;
    double volume[SLICES], area[SLICES];
    double axial[DLP_MODES_MOST][SLICES], radial[DLP_MODES_MOST][SLICES]; /* components of the conformation tensors */
} Thread;

static double radius_of(double area)
{
    return sqrt(area / PI);
}

/* h' / s between slice n - 1 and slice n. The thread is symmetric about both ends. */
static double sine_before(const Thread *thread, int n)
{
    if (n == 0 || n == SLICES) {
        return 0.0;
    }
    const double length = thread->volume[n - 1] / thread->area[n - 1] + thread->volume[n] / thread->area[n];
    const double slope = 2.0 * (radius_of(thread->area[n]) - radius_of(thread->area[n - 1])) / length;
    return slope / sqrt(1.0 + slope * slope);
}

/* Difference of the axial and radial elastic stress of a slice, or the largest of both. */
static double elastic_stress(const Thread *thread, int n, bool largest)
{
    double sum = 0.0;
    for (int k = 0; k < thread->mode_count; k++) {
        const double axial = thread->axial[k][n], radial = thread->radial[k][n];
        sum += thread->modulus[k] * (largest ? fmax(axial, radial) : axial - radial);
    }
    return sum;
}

/* Rates of extension of the slices, which keep their total length, and the longest stable step: curvature diffuses along the thread with the
 * coefficient h / (6 viscosity s^3), and the stress of the surface of a short slice grows with it. */
static double find_rates(const Thread *thread, double rate[SLICES])
{
    double force[SLICES], sum = 0.0, weight = 0.0, step = INFINITY;
    for (int n = 0; n < SLICES; n++) {
        const double area = thread->area[n], h = radius_of(area), length = thread->volume[n] / area;
        const double before = sine_before(thread, n), after = sine_before(thread, n + 1), mean = (before + after) / 2.0;
        const double flatter = fmin(fabs(before), fabs(after)), cosine = sqrt(fmax(1.0 - flatter * flatter, 1e-4));
        force[n] = PI * (h * sqrt(fmax(1.0 - mean * mean, 0.0)) + h * h * (after - before) / length) +
                   area * elastic_stress(thread, n, false);
        step = fmin(step, 3.0 * length * length * thread->viscosity / (h * cosine * cosine * cosine));
        step = fmin(step, 1.0 / (1.0 + elastic_stress(thread, n, true) / thread->viscosity));
        sum += force[n] * length / area;
        weight += length / area;
    }
    for (int n = 0; n < SLICES; n++) {
        rate[n] = (sum / weight - force[n]) / (3.0 * thread->viscosity * thread->area[n]);
    }
    return STEP_PART * step;
}

/* `to` is `from` after dt at the rates of extension of `at`. */
static void extend(const Thread *from, const Thread *at, double dt, Thread *to)
{
    double rate[SLICES];
    find_rates(at, rate);
    for (int n = 0; n < SLICES; n++) {
        to->area[n] = from->area[n] * exp(-rate[n] * dt);
        for (int k = 0; k < from->mode_count; k++) {
            const double u = rate[n], relaxation = 1.0 / from->relaxation_time[k];
            to->axial[k][n] = from->axial[k][n] + ((2.0 * u - relaxation) * at->axial[k][n] + relaxation) * dt;
            to->radial[k][n] = from->radial[k][n] + ((-u - relaxation) * at->radial[k][n] + relaxation) * dt;
        }
    }
    to->time = from->time + dt;
}

/* Integral of the window (1 + cos) / length from the middle of the neck. */
static double window_integral(double away, double length)
{
    const double x = fmin(away, length / 2.0);
    return x / length + sin(2.0 * PI * x / length) / (2.0 * PI);
}

static double neck_of(const Thread *thread, double window)
{
    double sum = 0.0, away = 0.0;
    for (int n = SLICES - 1; n >= 0; n--) {
        const double next = away + thread->volume[n] / thread->area[n];
        sum += 2.0 * thread->area[n] * (window_integral(next, window) - window_integral(away, window));
        away = next;
    }
    return radius_of(sum);
}

/* The radius at a part of the way from bulge to neck, linear between the given ones. */
static double radius_at(const dlp_ThreadDef *def, double part)
{
    const double place = fmin(fmax(part * (double)def->count - 0.5, 0.0), (double)(def->count - 1));
    const int64_t low = (int64_t)fmin(floor(place), (double)(def->count - 2));
    const double rest = place - (double)low;
    return (1.0 - rest) * def->radii[low] + rest * def->radii[low + 1];
}

static void start(Thread *thread, const dlp_ThreadDef *def, double unit)
{
    const double half = def->length / 2.0 / unit;
    double total = 0.0, z = 0.0;
    for (int n = 0; n < SLICES; n++) {
        total += pow(GRADING, -(double)n / SLICES);
    }
    for (int n = 0; n < SLICES; n++) {
        const double slice = half * pow(GRADING, -(double)n / SLICES) / total;
        const double h = radius_at(def, (z + slice / 2.0) / half) / unit;
        thread->area[n] = PI * h * h;
        thread->volume[n] = thread->area[n] * slice;
        for (int k = 0; k < DLP_MODES_MOST; k++) {
            thread->axial[k][n] = thread->radial[k][n] = 1.0;
        }
        z += slice;
    }
}

/* The fluid, and the units of length and time. */
static dlp_Result set_fluid(Thread *thread, const dlp_MaterialDef *m, double unit, double *time_unit, dlp_Error *error)
{
    const dlp__LawParts law = dlp__law_parts(m);
    const bool is_viscous = law.kind == DLP_LAW_VISCOUS && dlp__flow_is_newtonian(m);
    const bool is_elastic = law.kind == DLP_LAW_ELASTIC && law.limit <= 0.0 && m->elastic_law == DLP_ELASTIC_MAXWELL;
    if (!(is_viscous || is_elastic) || m->recovery_time > 0.0) {
        return dlp__fail(error, DLP_ERROR_UNSUPPORTED,
                         "the thinning of threads is known here for Newtonian, Maxwell and Oldroyd-B fluids only");
    }
    if (!(m->surface_tension > 0.0)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a thread thins by its surface tension, and the material has none: give surface_tension (N/m)");
    }
    double viscosity = m->solvent_viscosity + (is_viscous ? m->viscosity : 0.0);
    for (int k = 0; k < law.mode_count; k++) {
        viscosity += law.mode[k].modulus * law.mode[k].relaxation_time;
    }
    if (!(viscosity > 0.0) || !isfinite(viscosity)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "neither inviscid fluids nor elastic solids thin as threads");
    }
    const double stress = m->surface_tension / unit;
    *time_unit = viscosity / stress;
    thread->mode_count = law.mode_count;
    thread->viscosity = is_viscous ? 1.0 : fmax(m->solvent_viscosity / viscosity, LEAST_SOLVENT);
    for (int k = 0; k < law.mode_count; k++) {
        thread->modulus[k] = law.mode[k].modulus / stress;
        thread->relaxation_time[k] = law.mode[k].relaxation_time / *time_unit;
    }
    return DLP_OK;
}

static dlp_Result check_thread(const dlp_ThreadDef *def, const double *times, int count, dlp_Error *error)
{
    bool ok = def->count >= 2 && def->radii && def->length > 0.0 && def->window > 0.0;
    for (int64_t k = 0; ok && k < def->count; k++) {
        ok = def->radii[k] > 0.0 && isfinite(def->radii[k]);
    }
    for (int k = 0; ok && k < count; k++) {
        ok = times[k] >= (k > 0 ? times[k - 1] : 0.0) && isfinite(times[k]);
    }
    return ok ? DLP_OK
              : dlp__fail(error, DLP_ERROR_ARGUMENT,
                          "a thread needs two radii or more, a length and a window above 0, and times that increase");
}

dlp_ThreadDef dlp_default_thread_def(void)
{
    return (dlp_ThreadDef){.size = sizeof(dlp_ThreadDef)};
}

/* Radii of the neck (m) at some times (s); NaN once it has pinched off. `threads` are the thread at its start and scratch, whose units of
 * length and time are given. */
static void follow_neck(Thread threads[2], double unit, double time_unit, double window, const double *times, int count,
                        double *necks)
{
    Thread *now = &threads[0], *half = &threads[1];
    double rate[SLICES];
    int steps = 0;
    *half = *now;
    for (int k = 0; k < count; k++) {
        const double end = times[k] / time_unit;
        double neck = neck_of(now, window / unit);
        while (now->time < end * (1.0 - 1e-12) && neck > PINCHED && steps++ < STEPS_MOST) {
            const double dt = fmin(find_rates(now, rate), end - now->time);
            extend(now, now, dt / 2.0, half);
            extend(now, half, dt, now);
            neck = neck_of(now, window / unit);
        }
        necks[k] = neck > PINCHED && steps < STEPS_MOST ? unit * neck : NAN;
    }
}

dlp_Result dlp_material_thread(const dlp_MaterialDef *material, const dlp_ThreadDef *def, const double *times,
                               int count, double *necks, dlp_Error *error)
{
    if (!material || !def || !times || !necks) {
        return dlp__fail_null(error);
    }
    dlp_Result result = dlp_material_check(material, error);
    result = result == DLP_OK ? check_thread(def, times, count, error) : result;
    if (result != DLP_OK) {
        return result;
    }
    Thread *threads = calloc(2, sizeof *threads);
    if (!threads) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for a thread");
    }
    const double unit = def->radii[def->count - 1];
    double time_unit = 0.0;
    result = set_fluid(threads, material, unit, &time_unit, error);
    if (result == DLP_OK) {
        start(threads, def, unit);
        follow_neck(threads, unit, time_unit, def->window, times, count, necks);
    }
    free(threads);
    return result;
}
