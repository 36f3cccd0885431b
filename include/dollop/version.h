/* The version of these headers. The build takes the version of the project from this file; dlp_version() of types.h tells that of the
 * library which a program is linked with. */
#ifndef DOLLOP_VERSION_H
#define DOLLOP_VERSION_H

#define DLP_VERSION_MAJOR 0
#define DLP_VERSION_MINOR 1
#define DLP_VERSION_PATCH 0

/* For #if: 102 is version 0.1.2. */
#define DLP_VERSION_NUMBER (10000 * DLP_VERSION_MAJOR + 100 * DLP_VERSION_MINOR + DLP_VERSION_PATCH)

/* As text, such as "0.1.0". */
#define DLP_VERSION                 DLP_VERSION_EXPAND(DLP_VERSION_MAJOR, DLP_VERSION_MINOR, DLP_VERSION_PATCH)
#define DLP_VERSION_EXPAND(a, b, c) DLP_VERSION_QUOTE(a, b, c)
#define DLP_VERSION_QUOTE(a, b, c)  #a "." #b "." #c

#endif
