/* Load balance: recursive coordinate bisection by Zoltan, which begins with the cuts of the last time, so that few particles move. */
#include "distributed/mpi_ranks.h"

#include <math.h>
#include <zoltan.h>

static int count_places(void *context, int *fault)
{
    const dlp__RankWork *work = context;
    *fault = ZOLTAN_OK;
    return (int)work->count;
}

static void list_places(void *context, int ids, int local_ids, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local_id, int weights,
                        float *weight, int *fault)
{
    const dlp__RankWork *work = context;
    (void)ids;
    (void)local_ids;
    (void)weights;
    for (int64_t n = 0; n < work->count; n++) {
        id[n] = (ZOLTAN_ID_TYPE)n; /* only Zoltan's lists of what moves would need different ones on each rank */
        local_id[n] = (ZOLTAN_ID_TYPE)n;
        weight[n] = work->work[n];
    }
    *fault = ZOLTAN_OK;
}

static int count_axes(void *context, int *fault)
{
    (void)context;
    *fault = ZOLTAN_OK;
    return 3;
}

static void find_places(void *context, int ids, int local_ids, int count, ZOLTAN_ID_PTR id, ZOLTAN_ID_PTR local_id,
                        int axes, double *place, int *fault)
{
    const dlp__RankWork *work = context;
    (void)ids;
    (void)local_ids;
    (void)id;
    for (int n = 0; n < count; n++) {
        for (int a = 0; a < axes; a++) {
            place[axes * n + a] = work->place[local_id[n]][a];
        }
    }
    *fault = ZOLTAN_OK;
}

static bool is_set(struct Zoltan_Struct *zoltan)
{
    static const char *const settings[][2] = {
        {"DEBUG_LEVEL", "0"},    {"LB_METHOD", "RCB"},     {"KEEP_CUTS", "1"},       {"RCB_REUSE", "1"},
        {"OBJ_WEIGHT_DIM", "1"}, {"RETURN_LISTS", "NONE"}, {"IMBALANCE_TOL", "1.02"}};
    bool ok = true;
    for (size_t n = 0; n < sizeof settings / sizeof settings[0]; n++) {
        ok = ok && Zoltan_Set_Param(zoltan, settings[n][0], settings[n][1]) == ZOLTAN_OK;
    }
    return ok;
}

static struct Zoltan_Struct *divider_of(dlp__MpiRanks *mpi)
{
    float version;
    if (mpi->divider == NULL && Zoltan_Initialize(0, NULL, &version) == ZOLTAN_OK) {
        struct Zoltan_Struct *zoltan = Zoltan_Create(mpi->world);
        if (zoltan != NULL && !is_set(zoltan)) {
            Zoltan_Destroy(&zoltan);
        }
        mpi->divider = zoltan;
    }
    return mpi->divider;
}

/* The first place above a cut. */
static int32_t above(double cut)
{
    return cut <= (double)INT32_MIN ? INT32_MIN : cut >= (double)INT32_MAX - 1.0 ? INT32_MAX : (int32_t)floor(cut) + 1;
}

bool dlp__mpi_divide(dlp_Ranks *ranks, const dlp__RankWork *work, dlp__RankBox *boxes)
{
    struct Zoltan_Struct *zoltan = divider_of(dlp__mpi_of(ranks));
    int changed, ids, local_ids, in, out, *from_rank, *from_part, *to_rank, *to_part;
    ZOLTAN_ID_PTR in_id, in_local, out_id, out_local;
    void *places = (void *)(uintptr_t)work;
    if (zoltan == NULL) {
        return false;
    }
    Zoltan_Set_Num_Obj_Fn(zoltan, count_places, places);
    Zoltan_Set_Obj_List_Fn(zoltan, list_places, places);
    Zoltan_Set_Num_Geom_Fn(zoltan, count_axes, places);
    Zoltan_Set_Geom_Multi_Fn(zoltan, find_places, places);
    if (Zoltan_LB_Partition(zoltan, &changed, &ids, &local_ids, &in, &in_id, &in_local, &from_rank, &from_part, &out,
                            &out_id, &out_local, &to_rank, &to_part) != ZOLTAN_OK) {
        return false;
    }
    for (int rank = 0; rank < ranks->count; rank++) {
        int axes;
        double lower[3], upper[3];
        if (Zoltan_RCB_Box(zoltan, rank, &axes, &lower[0], &lower[1], &lower[2], &upper[0], &upper[1], &upper[2]) !=
            ZOLTAN_OK) {
            return false;
        }
        for (int a = 0; a < 3; a++) {
            boxes[rank].lower[a] = above(lower[a]);
            boxes[rank].upper[a] = above(upper[a]);
        }
    }
    return true;
}

void dlp__mpi_release_divider(dlp__MpiRanks *mpi)
{
    struct Zoltan_Struct *zoltan = mpi->divider;
    if (zoltan != NULL) {
        Zoltan_Destroy(&zoltan);
    }
    mpi->divider = NULL;
}
