/* The root of a function of one variable. */
#ifndef DLP_BASE_ROOT_H
#define DLP_BASE_ROOT_H

typedef double (*dlp__RootFunction)(const void *user, double x);

/* Where an increasing function crosses zero between `low` and `high`: bisection and secants in turns, to double precision. Where it does
 * not cross zero the nearer end is returned; infinite values are fine, NaN gives NaN. */
double dlp__find_root(dlp__RootFunction function, const void *user, double low, double high);

#endif
