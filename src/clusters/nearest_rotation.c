/* Horn's quaternion by Jacobi's eigenvalue method for symmetric matrices. */
#include "clusters/nearest_rotation.h"

#include <math.h>

/* One rotation of Jacobi's eigenvalue method: zeroes m[p][q] and rotates the columns of `vectors`. */
static void jacobi_rotate(double m[4][4], double vectors[4][4], int p, int q)
{
    if (m[p][q] == 0.0) {
        return;
    }
    const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 4; k++) {
        const double kp = m[k][p], kq = m[k][q], vp = vectors[k][p], vq = vectors[k][q];
        m[k][p] = c * kp - s * kq;
        m[k][q] = s * kp + c * kq;
        vectors[k][p] = c * vp - s * vq;
        vectors[k][q] = s * vp + c * vq;
    }
    for (int k = 0; k < 4; k++) {
        const double pk = m[p][k], qk = m[q][k];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
    }
    m[p][q] = m[q][p] = 0.0;
}

dlp__NearestRotation dlp__nearest_rotation(const double a[9])
{
    enum { SWEEPS = 12 }; /* convergence is quadratic: six or seven suffice */
    const double xx = a[0], xy = a[3], xz = a[6], yx = a[1], yy = a[4], yz = a[7], zx = a[2], zy = a[5], zz = a[8];
    double m[4][4] = {{xx + yy + zz, yz - zy, zx - xz, xy - yx},
                      {yz - zy, xx - yy - zz, xy + yx, zx + xz},
                      {zx - xz, xy + yx, yy - xx - zz, yz + zy},
                      {xy - yx, zx + xz, yz + zy, zz - xx - yy}};
    double vectors[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < 3; p++) {
            for (int q = p + 1; q < 4; q++) {
                jacobi_rotate(m, vectors, p, q);
            }
        }
    }
    int best = 0;
    for (int k = 1; k < 4; k++) {
        best = m[k][k] > m[best][best] ? k : best;
    }
    const double w = vectors[0][best], x = vectors[1][best], y = vectors[2][best], z = vectors[3][best];
    return (dlp__NearestRotation){
        .quaternion = {w, x, y, z},
        .matrix = {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
                   {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
                   {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)}}};
}
