/* Peak rates of the machine, for comparison with the simulation. */
#ifndef DOLLOP_BENCH_MACHINE_H
#define DOLLOP_BENCH_MACHINE_H

#include <stdbool.h>

/* Bytes per second of a[i] = b[i] + s * c[i] on arrays far larger than the caches, summed over `processes`. */
double machine_triad(int processes, bool quick);

/* Single-precision operations per second of multiply and add in registers with `lanes` lanes, summed over `processes`;
 * 0 if the machine does not support that width. */
double machine_flops(int processes, int lanes, bool quick);

#endif
