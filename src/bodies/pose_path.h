/* A path through keys: where a solid or nozzle is at any time, how it is turned, and how fast both change. It knows nothing
 * of steps, so that the same time gives the same pose whatever the steps that lead there. */
#ifndef DLP_BODIES_POSE_PATH_H
#define DLP_BODIES_POSE_PATH_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"

#include <dollop/world.h>

/* The keys in the order of their times; none: there is no path. */
typedef struct dlp__PosePath {
    dlp_PoseKey *keys;
    int count;
} dlp__PosePath;

/* One moment of a path. Velocity and spin are the exact derivatives of position and rotation; where the speed jumps, at the
 * keys of a linear path, they are those of what follows. */
typedef struct dlp__Pose {
    dlp_Vec3 position; /* m */
    dlp__Rotation rotation;
    dlp_Vec3 velocity; /* m/s   */
    dlp_Vec3 spin;     /* rad/s, about axes that stand still */
} dlp__Pose;

/* Check the keys and take a copy of them in place of those that the path has. On failure the path is as it was. */
dlp_Result dlp__pose_path_set(dlp__PosePath *path, dlp__Memory *memory, const dlp_PoseKey *keys, int count,
                              dlp_Error *error);
void dlp__pose_path_release(dlp__PosePath *path, dlp__Memory *memory);

/* The pose at that time (s) on a path of one key or more. Before the first key and after the last it rests there. */
dlp__Pose dlp__pose_path_at(const dlp__PosePath *path, dlp_PathKind kind, double time);

#endif
