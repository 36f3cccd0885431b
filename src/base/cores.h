/* How many cores this process may use: the cores that it is allowed to run on, at most the processor time that its control groups grant (containers). */
#ifndef DLP_BASE_CORES_H
#define DLP_BASE_CORES_H

#include <stdint.h>

/* At least 1. */
int dlp__cores(void);

/* A hash of the set of cores that this process may run on. */
uint64_t dlp__cores_hash(void);

/* The number of the core that the calling thread runs on; -1: unknown. */
int dlp__core_now(void);

/* The least number of cores that a quota grants, in the file system of control groups at `root` (/sys/fs/cgroup) and with the groups of the process
 * in the file `groups` (/proc/self/cgroup); 0: no limit. Versions 1 and 2 of control groups. */
int dlp__cores_of_quota(const char *root, const char *groups);

#endif
