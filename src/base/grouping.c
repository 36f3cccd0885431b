/* Counts the items of each group, then writes each item to the next place of its group. */
#include "base/grouping.h"

#include <string.h>

bool dlp__grouping_make(dlp__Grouping *grouping, dlp__Memory *memory, int groups, int64_t count,
                        dlp__GroupFunction group_of, const void *context)
{
    if (!dlp__buffer_reserve(memory, &grouping->start_buffer, (int64_t)groups + 2, sizeof *grouping->start) ||
        !dlp__buffer_reserve(memory, &grouping->item_buffer, count + 1, sizeof *grouping->item)) {
        return false;
    }
    int64_t *next =
        grouping->start_buffer.data; /* of group g in entry g + 1, which finally is the start of group g + 1 */
    grouping->start = next;
    grouping->item = grouping->item_buffer.data;
    memset(next, 0, ((size_t)groups + 2) * sizeof *next);
    for (int64_t n = 0; n < count; n++) {
        const int group = group_of(context, n);
        if (group >= 0) {
            next[group + 2]++;
        }
    }
    for (int g = 2; g < groups + 2; g++) {
        next[g] += next[g - 1];
    }
    for (int64_t n = 0; n < count; n++) {
        const int group = group_of(context, n);
        if (group >= 0) {
            grouping->item[next[group + 1]++] = n;
        }
    }
    return true;
}

void dlp__grouping_release(dlp__Grouping *grouping, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &grouping->start_buffer);
    dlp__buffer_release(memory, &grouping->item_buffer);
    *grouping = (dlp__Grouping){.start = NULL};
}
