/* How a thread or a sheet is laid down: the place, its turns about the axis, its folds. */
#include "studies/laying.h"

#include <math.h>
#include <stdlib.h>

#define PI   3.14159265358979323846
#define LAID 0.5 /* fraction of the nozzle's speed below which a layer counts as at rest, unless given */

/* A thread coils from here on. */
#define COIL_RATE   0.4 /* 1/s                                       */
#define COIL_STEADY 0.6
#define COIL_RADIUS 0.5 /* of the centre line, in radii of the thread */

/* Mean of a vector over a layer. */
static void layer_mean(const Laying *laying, float (*const values)[3], int64_t layer, double mean[3])
{
    const int64_t size = laying->layer_size;
    double sum[3] = {0};
    for (int64_t i = layer * size; i < (layer + 1) * size; i++) {
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += (double)values[i][axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        mean[axis] = sum[axis] / (double)size;
    }
}

void laying_layer_centre(const Laying *laying, const StudyParticles *particles, int64_t layer, double centre[3])
{
    layer_mean(laying, particles->position, layer, centre);
}

bool laying_place(Laying *laying, const StudyParticles *particles, double place[3])
{
    const double slowest = (laying->rest > 0 ? laying->rest : LAID) * laying->speed;
    laying->layer_size = laying->layer_size > 0 ? laying->layer_size : particles->count;
    laying->layer = laying->layer_size > 0 ? particles->count / laying->layer_size - 1 : -1;
    for (; laying->layer >= 0; laying->layer--) {
        double velocity[3];
        layer_mean(laying, particles->velocity, laying->layer, velocity);
        if (sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2]) < slowest) {
            laying_layer_centre(laying, particles, laying->layer, place);
            return true;
        }
    }
    return false;
}

void winding_follow(Winding *winding, const double place[2], double dt)
{
    const double angle = atan2(place[1], place[0]);
    if (winding->readings > 0) {
        const double change = remainder(angle - winding->last, 2 * PI);
        winding->angle += change;
        winding->turned += fabs(change);
        winding->seconds += dt;
    }
    winding->last = angle;
    winding->radius += (hypot(place[0], place[1]) - winding->radius) / (double)++winding->readings;
}

double winding_turns(const Winding *winding)
{
    return winding->angle / (2 * PI);
}

double winding_rate(const Winding *winding)
{
    return winding->seconds > 0 ? fabs(winding_turns(winding)) / winding->seconds : 0;
}

double winding_steadiness(const Winding *winding)
{
    return winding->turned > 0 ? fabs(winding->angle) / winding->turned : 0;
}

bool winding_coils(const Winding *winding, double thread_radius)
{
    return winding_rate(winding) >= COIL_RATE && winding_steadiness(winding) >= COIL_STEADY &&
           winding->radius >= COIL_RADIUS * thread_radius;
}

void folding_follow(Folding *folding, double offset, double least, double time)
{
    if (!folding->begun) {
        *folding = (Folding){.begun = true, .furthest = offset, .low = offset, .high = offset};
    }
    folding->low = fmin(folding->low, offset);
    folding->high = fmax(folding->high, offset);
    const double gone = offset - folding->furthest;
    if (folding->way == 0) {
        folding->way = fabs(gone) < least ? 0 : gone > 0 ? 1 : -1;
    } else if (folding->way * gone < -least) {
        folding->way = -folding->way;
        folding->first = folding->folds++ > 0 ? folding->first : time;
        folding->last = time;
    }
    if (folding->way * gone > 0) {
        folding->furthest = offset;
    }
}

double folding_period(const Folding *folding)
{
    return folding->folds > 1 ? 2 * (folding->last - folding->first) / (folding->folds - 1) : NAN;
}

void laying_panel(StudyRun *run, StudyPicture *picture, const dlp_World *world, const Laying *laying, int band,
                  const char *name)
{
    const int64_t count = world ? dlp_world_particle_count(world) : 0, size = laying->layer_size;
    uint8_t *colors = malloc((size_t)count + 1);
    if (!colors) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        colors[i] = size > 0 && i / size / band % 2 ? 0 : 1;
    }
    study_panel(picture, world, colors, "%s", name);
    free(colors);
}
