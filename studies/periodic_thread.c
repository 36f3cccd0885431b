/* Periodic threads of particles: how they are filled and measured. */
#include "studies/periodic_thread.h"

#include <math.h>
#include <stdlib.h>

#define PI           3.14159265358979323846
#define GOLDEN_ANGLE 2.39996322972865332

/* Particles start in layers, displaced at random by up to this many spacings: an ordered surface has another tension than a disordered one, and
 * becomes disordered at the neck first, which draws the thread together at several times the right speed. */
#define JITTER 0.3
#define SEED   2463534242u

enum { WAVES = 4 };

static double random_number(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state / 2147483648.0 - 1;
}

/* Layers one spacing apart, each a spiral of evenly spread particles whose radius follows the wave. Null: out of memory. */
static float *make_points(const PeriodicThread *thread, int per_radius, int layers, int64_t *count)
{
    const double amplitude = thread->shape.amplitude;
    float *points = malloc(sizeof *points * 3 * (size_t)(8 * per_radius * per_radius * layers));
    uint32_t random = SEED;
    double wanted = 0; /* particles so far, which need not be a whole number */
    int64_t n = 0;
    for (int layer = 0; points && layer < layers; layer++) {
        const double z = (layer + 0.5) * thread->spacing - thread->shape.length / 2;
        const double h = (1 - amplitude * cos(thread->wave_number * z)) / sqrt(1 + amplitude * amplitude / 2);
        wanted += PI * h * h * per_radius * per_radius;
        const int64_t in_layer = llround(wanted) - n;
        for (int64_t p = 0; p < in_layer; p++, n++) {
            const double angle = GOLDEN_ANGLE * (double)p + layer,
                         radius = h * sqrt(((double)p + 0.5) / (double)in_layer);
            const double at[3] = {radius * cos(angle), radius * sin(angle), z};
            for (int a = 0; a < 3; a++) {
                points[3 * n + a] = (float)(at[a] + JITTER * thread->spacing * random_number(&random));
            }
        }
    }
    *count = n;
    return points;
}

PeriodicThread thread_make(StudyRun *run, const ThreadShape *shape, int per_radius, double viscosity, double density)
{
    PeriodicThread thread = {.spacing = 1.0 / per_radius, .shape = *shape};
    const int layers = (int)lround(shape->length * per_radius);
    const double length = layers * thread.spacing;
    dlp_WorldDef def = study_world_def(run, "physical");
    thread.shape.length = length;
    thread.wave_number = 2 * PI / length;
    def.spacing = thread.spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.periodic_min = (dlp_Vec3){0, 0, -length / 2};
    def.periodic_size = (dlp_Vec3){0, 0, length};
    thread.world = study_world(run, &def);
    thread.fluid = STUDY_MATERIAL(run, thread.world, {"density", density}, {"viscosity", viscosity},
                                  {"surface_tension", 1});
    float *points = make_points(&thread, per_radius, layers, &thread.count);
    if (!points) {
        study_fail(run, DLP_ERROR_MEMORY, "no memory for the particles of a thread");
    } else if (study_going(run)) {
        study_keep(run, thread.world,
                   dlp_world_add_points(thread.world, thread.fluid, points, thread.count, (dlp_Vec3){0, 0, 0}));
    }
    free(points);
    thread.radius = sqrt((double)thread.count * pow(thread.spacing, 3) / (PI * length));
    return thread;
}

void thread_destroy(PeriodicThread *thread)
{
    study_particles_free(&thread->particles);
    dlp_world_destroy(thread->world);
}

double thread_amplitude(StudyRun *run, PeriodicThread *thread, double *neck)
{
    double cosine = 0, sine = 0;
    study_read(run, thread->world, &thread->particles);
    for (int64_t i = 0; i < thread->particles.count; i++) {
        const double angle = thread->wave_number * (double)thread->particles.position[i][2];
        cosine += cos(angle);
        sine += sin(angle);
    }
    *neck = (atan2(sine, cosine) + PI) / thread->wave_number;
    return hypot(cosine, sine) / (double)thread->particles.count;
}

double thread_neck(const PeriodicThread *thread, double neck, double window)
{
    double sum = 0;
    for (int64_t i = 0; i < thread->particles.count; i++) {
        const double away = remainder((double)thread->particles.position[i][2] - neck, thread->shape.length);
        sum += fabs(away) < window / 2 ? (1 + cos(2 * PI * away / window)) / window : 0;
    }
    return sqrt(sum * pow(thread->spacing, 3) / PI);
}

/* Cross section over its mean at a distance from the neck, from the longest waves, as if the thread were symmetric. */
static double wave_area(const PeriodicThread *thread, const double waves[WAVES], double away)
{
    double area = 1;
    for (int n = 0; n < WAVES; n++) {
        area += waves[n] * cos((n + 1) * thread->wave_number * away);
    }
    return fmax(area, 1e-4);
}

dlp_ThreadDef thread_slender(const PeriodicThread *thread, double neck, double window, double radii[THREAD_RADII])
{
    double waves[WAVES] = {0};
    dlp_ThreadDef def = dlp_default_thread_def();
    for (int64_t i = 0; i < thread->particles.count; i++) {
        for (int n = 0; n < WAVES; n++) {
            waves[n] += 2 * cos((n + 1) * thread->wave_number * ((double)thread->particles.position[i][2] - neck)) /
                        (double)thread->particles.count;
        }
    }
    for (int n = 0; n < THREAD_RADII; n++) {
        const double away = thread->shape.length / 2 * (1 - (n + 0.5) / THREAD_RADII);
        radii[n] = thread->radius * sqrt(wave_area(thread, waves, away));
    }
    def.length = thread->shape.length;
    def.radii = radii;
    def.count = THREAD_RADII;
    def.window = window;
    return def;
}
