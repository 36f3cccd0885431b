/* Validation and storage of the keys of a path, so that the curve through them is always finite. */
#include "bodies/pose_path.h"

#include <string.h>

/* s: the shortest step of a world. The speed between closer keys could overflow. */
static const double MIN_KEY_INTERVAL = 1e-9;

static dlp_Result check_keys(const dlp_PoseKey *keys, int count, dlp_Error *error)
{
    if (count < 0 || count > DLP_KEYS_MOST) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a path has at most %d keys, not %d: leave some out", DLP_KEYS_MOST,
                         count);
    }
    if (count > 0 && keys == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the keys are null: give %d of them, or 0 to have none", count);
    }
    for (int k = 0; k < count; k++) {
        if (dlp_params_check(dlp_pose_key_params(), &keys[k], error) != DLP_OK) {
            dlp__error_prefix(error, "key %d: ", k);
            return DLP_ERROR_ARGUMENT;
        }
        if (k > 0 && !(keys[k].time - keys[k - 1].time >= MIN_KEY_INTERVAL)) {
            return dlp__fail(
                error, DLP_ERROR_ARGUMENT,
                "key %d is at %.17g s and the one before it at %.17g s: each must come at least %g s after the "
                "one before",
                k, keys[k].time, keys[k - 1].time, MIN_KEY_INTERVAL);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__pose_path_set(dlp__PosePath *path, dlp__Memory *memory, const dlp_PoseKey *keys, int count,
                              dlp_Error *error)
{
    dlp_Result result = check_keys(keys, count, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp_PoseKey *copy = dlp__memory_get(memory, count, sizeof *copy);
    if (count > 0 && copy == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for %d keys", count);
    }
    if (count > 0) {
        memcpy(copy, keys, (size_t)count * sizeof *copy);
    }
    dlp__pose_path_release(path, memory);
    *path = (dlp__PosePath){copy, count};
    return DLP_OK;
}

void dlp__pose_path_release(dlp__PosePath *path, dlp__Memory *memory)
{
    dlp__memory_release(memory, path->keys, path->count, sizeof *path->keys);
    *path = (dlp__PosePath){NULL, 0};
}
