/* What the machine itself can do, to hold the figures of the simulation against. */
#ifndef DOLLOP_BENCH_MACHINE_H
#define DOLLOP_BENCH_MACHINE_H

#include <stdbool.h>

/* Bytes per second of a[i] = b[i] + s * c[i] on arrays far larger than the caches, summed over `processes`. */
double machine_triad(int processes, bool quick);

/* Single-precision operations per second of multiply and add in registers with `lanes` lanes, summed over `processes`;
 * 0 if the machine lacks that width. */
double machine_flops(int processes, int lanes, bool quick);

#endif
