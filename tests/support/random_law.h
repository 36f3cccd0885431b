/* Random material laws of every kind, with parameters over many decades. */
#ifndef DLP_TESTS_SUPPORT_RANDOM_LAW_H
#define DLP_TESTS_SUPPORT_RANDOM_LAW_H

#include <dollop/defs.h>

/* A law that passes dlp_material_check() more often than not. `random` is the state of the generator, any number at first. */
dlp_MaterialDef random_law(uint64_t *random);

/* 0 to 1, and between two positive numbers on a logarithmic scale. */
double random_law_part(uint64_t *random);
double random_law_between(uint64_t *random, double low, double high);

#endif
