/* The inner loop of the NaN check, one version per vector width. */
#ifndef DLP_PARTICLES_FINITE_H
#define DLP_PARTICLES_FINITE_H

#include <stdbool.h>
#include <stdint.h>

typedef bool (*dlp__AllFinite)(const float *values, int64_t count);

bool dlp__all_finite_w1(const float *values, int64_t count);
bool dlp__all_finite_w4(const float *values, int64_t count);
bool dlp__all_finite_w8(const float *values, int64_t count);
bool dlp__all_finite_w16(const float *values, int64_t count);

#endif
