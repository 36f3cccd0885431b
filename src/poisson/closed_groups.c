/* Groups of cells that nothing couples to zero: connected components of a grid without loss. */
#include "poisson/cell_multigrid.h"

static int32_t root_of(int32_t *leader, int32_t row)
{
    while (leader[row] != row) {
        leader[row] = leader[leader[row]];
        row = leader[row];
    }
    return row;
}

/* Join the rows that are coupled; the leader of a component is its least row. */
static void join_neighbors(const dlp__CellLevel *level, int32_t *leader)
{
    for (int32_t row = 0; row < level->rows; row++) {
        leader[row] = row;
    }
    for (int32_t row = 0; row < level->rows; row++) {
        for (int32_t n = 0; n < level->neighbors[row]; n++) {
            const int32_t a = root_of(leader, row), b = root_of(leader, level->column[row][n]);
            leader[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int32_t row = 0; row < level->rows; row++) {
        leader[row] = root_of(leader, row);
    }
}

bool dlp__closed_groups_find(dlp__ClosedGroups *closed, dlp__Domains *domains, const dlp__CellLevel *level)
{
    const char *what = "the closed groups of the pressure equation";
    closed->count = 0;
    closed->group = dlp__step_scratch(domains, level->rows + 1, sizeof *closed->group, what);
    closed->sum = dlp__step_scratch(domains, level->rows + 1, sizeof *closed->sum, what);
    closed->members = dlp__step_scratch(domains, level->rows + 1, sizeof *closed->members, what);
    if (!dlp__step_is_ok(domains)) {
        return false;
    }
    join_neighbors(level, closed->group);
    for (int64_t row = 0; row < level->rows; row++) { /* sum: the loss of the component, at its leader */
        closed->sum[row] = 0.0;
        closed->sum[closed->group[row]] += level->loss[row];
    }
    for (int64_t row = 0; row < level->rows; row++) { /* number the closed ones; a leader comes before its followers */
        const int32_t leader = closed->group[row];
        const bool is_closed = !(closed->sum[leader] > 0.0);
        if (leader == row) {
            closed->members[row] = is_closed ? (double)closed->count++ : -1.0;
        }
        closed->group[row] = is_closed ? (int32_t)closed->members[leader] : -1;
    }
    for (int32_t n = 0; n < closed->count; n++) {
        closed->members[n] = 0.0;
    }
    for (int64_t row = 0; row < level->rows; row++) {
        if (closed->group[row] >= 0) {
            closed->members[closed->group[row]] += 1.0;
        }
    }
    return true;
}

void dlp__closed_groups_center(const dlp__ClosedGroups *closed, int64_t rows, double *value)
{
    if (closed->count == 0) {
        return;
    }
    for (int32_t n = 0; n < closed->count; n++) {
        closed->sum[n] = 0.0;
    }
    for (int64_t row = 0; row < rows; row++) {
        if (closed->group[row] >= 0) {
            closed->sum[closed->group[row]] += value[row];
        }
    }
    for (int64_t row = 0; row < rows; row++) {
        if (closed->group[row] >= 0) {
            value[row] -= closed->sum[closed->group[row]] / closed->members[closed->group[row]];
        }
    }
}
