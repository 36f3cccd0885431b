/* A path through keys: the pose of a solid or nozzle at any time and its velocity and spin. It depends on time only,
 * so the pose is the same whatever the time steps. */
#ifndef DLP_BODIES_POSE_PATH_H
#define DLP_BODIES_POSE_PATH_H

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"

#include <dollop/world.h>

/* The keys in order of time; count 0: there is no path. */
typedef struct dlp__PosePath {
    dlp_PoseKey *keys;
    int count;
} dlp__PosePath;

/* A point on a path. Velocity and spin are the exact derivatives of position and rotation; where the velocity jumps,
 * at the keys of a linear path, they are those after the key. */
typedef struct dlp__Pose {
    dlp_Vec3 position; /* m */
    dlp__Rotation rotation;
    dlp_Vec3 velocity; /* m/s */
    dlp_Vec3 spin;     /* rad/s, in world axes */
} dlp__Pose;

/* Check the keys and replace those of the path by a copy. On failure the path is unchanged. */
dlp_Result dlp__pose_path_set(dlp__PosePath *path, dlp__Memory *memory, const dlp_PoseKey *keys, int count,
                              dlp_Error *error);
void dlp__pose_path_release(dlp__PosePath *path, dlp__Memory *memory);

/* The pose at a time (s) on a path of at least one key. It is at rest before the first key and after the last. */
dlp__Pose dlp__pose_path_at(const dlp__PosePath *path, dlp_PathKind kind, double time);

#endif
