#ifdef __linux__
#define _GNU_SOURCE 1 /* sched_getaffinity() */
#endif
#include "base/cores.h"

#include "base/hash.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

enum { PATH_MOST = 4096 };

static int allowed_cores(void)
{
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        cores = CPU_COUNT(&set);
    }
#endif
    return cores > 0 ? cores : 1;
}

/* The first line of a file; false if there is none. */
static bool read_line(const char *folder, const char *group, const char *name, char *line, int size)
{
    char path[PATH_MOST];
    const int length = snprintf(path, sizeof path, "%s%s/%s", folder, group, name);
    FILE *file = length > 0 && length < (int)sizeof path ? fopen(path, "r") : NULL;
    const bool ok = file != NULL && fgets(line, size, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    return ok;
}

/* Cores that `quota` out of every `period` microseconds are worth, rounded up; 0: no limit. */
static int cores_worth(const char *quota, const char *period)
{
    const double granted = strtod(quota, NULL), of = strtod(period, NULL); /* "max" and -1 are no limit */
    return granted > 0.0 && of > 0.0 && granted / of < 1e6 ? (int)(granted / of + 0.999) : 0;
}

/* Of one group: cpu.max holds both numbers in version 2. */
static int cores_of_group(const char *root, const char *group)
{
    char quota[128], period[128];
    if (read_line(root, group, "cpu.max", quota, sizeof quota)) {
        const char *space = strchr(quota, ' ');
        return space != NULL ? cores_worth(quota, space) : 0;
    }
    if (read_line(root, group, "cpu.cfs_quota_us", quota, sizeof quota) &&
        read_line(root, group, "cpu.cfs_period_us", period, sizeof period)) {
        return cores_worth(quota, period);
    }
    return 0;
}

static int smaller_limit(int a, int b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* Of a group and all that it is part of. Inside a container the group's path may be that of the host: then only the root is found. */
static int cores_of_path(const char *root, char *group)
{
    int limit = 0;
    for (char *end = group + strlen(group); end != NULL; end = strrchr(group, '/')) {
        *end = '\0';
        limit = smaller_limit(limit, cores_of_group(root, group));
    }
    return limit;
}

int dlp__cores_of_quota(const char *root, const char *groups)
{
    char line[PATH_MOST], folder[PATH_MOST];
    int limit = 0;
    FILE *file = fopen(groups, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        /* "0::/path" in version 2, "4:cpu,cpuacct:/path" in version 1 */
        char *names = strchr(line, ':'), *path = names != NULL ? strchr(names + 1, ':') : NULL;
        if (path == NULL) {
            continue;
        }
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        names++;
        const bool all = names[0] == '\0', cpu = strncmp(names, "cpu", 3) == 0 && (names[3] == ',' || names[3] == '\0');
        const int length = snprintf(folder, sizeof folder, "%s%s%s", root, all ? "" : "/", names);
        if ((all || cpu) && length > 0 && length < (int)sizeof folder) {
            limit = smaller_limit(limit, cores_of_path(folder, path));
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return limit;
}

int dlp__cores(void)
{
    const int quota = dlp__cores_of_quota("/sys/fs/cgroup", "/proc/self/cgroup");
    return smaller_limit(allowed_cores(), quota);
}

uint64_t dlp__cores_hash(void)
{
    uint64_t hash = DLP_HASH_SEED;
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        hash = dlp__hash_bytes(hash, &set, sizeof set);
    }
#endif
    return dlp__hash_finish(hash);
}

int dlp__core_now(void)
{
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}
