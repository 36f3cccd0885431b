/* The rotation nearest to a deformation, for shape matching of whole bodies (companions) and of neighbourhoods (clusters). */
#ifndef DLP_CLUSTERS_NEAREST_ROTATION_H
#define DLP_CLUSTERS_NEAREST_ROTATION_H

#include "base/vector.h"

typedef struct dlp__NearestRotation {
    dlp__Rotation matrix;
    double quaternion[4]; /* w x y z, the same */
} dlp__NearestRotation;

/* The rotation R that maximizes the trace of R^T A, where A is the sum of x q^T over positions x and positions q in the reference
 * shape, row by row: the quaternion of the largest eigenvalue of a symmetric matrix (Horn 1987). It needs no initial guess, never
 * reflects, and is robust for flat and thin bodies too. */
dlp__NearestRotation dlp__nearest_rotation(const double a[9]);

#endif
