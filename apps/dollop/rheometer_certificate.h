/* Certificates of the built-in materials: pages that compare each with its law at three spacings and three time steps. */
#ifndef DOLLOP_RHEOMETER_CERTIFICATE_H
#define DOLLOP_RHEOMETER_CERTIFICATE_H

#include "apps/shared/exit_codes.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct CertificateOptions {
    const char *folder; /* null: nothing is written */
    int64_t threads;    /* materials that are measured at a time; 0: one per core */
    double within;      /* percent, the largest deviation that is not an error; 0: any */
    bool is_quiet;
} CertificateOptions;

/* Measure the materials, "all" for each that has a law in shear, and write NAME.md and NAME.svg about each, and the index README.md of
 * all pages in the folder. */
ExitCode rheometer_certify(const char *const *names, int count, const CertificateOptions *options);

#endif
