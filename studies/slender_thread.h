/* A periodic thread of fluid under surface tension in one dimension: slices of constant volume under a common axial force, without inertia.
 * The reference of study thinning. */
#ifndef STUDIES_SLENDER_THREAD_H
#define STUDIES_SLENDER_THREAD_H

enum { SLENDER_SLICES = 60 };

/* Oldroyd-B; Newtonian if the modulus is 0. */
typedef struct SlenderFluid {
    double tension;         /* N/m                            */
    double viscosity;       /* Pa s, of the Newtonian part    */
    double modulus;         /* Pa, of the elastic part        */
    double relaxation_time; /* s, of the elastic part         */
} SlenderFluid;

/* Half a period, from the middle of the bulge to the middle of the neck. */
typedef struct SlenderThread {
    SlenderFluid fluid;
    double time;                                          /* s  */
    double volume[SLENDER_SLICES];                        /* m3 */
    double area[SLENDER_SLICES];                          /* m2, of the cross section */
    double axial[SLENDER_SLICES], radial[SLENDER_SLICES]; /* components of the conformation tensor */
} SlenderThread;

/* The radius (1 + amplitude cos) times a factor that keeps the volume of a cylinder of radius `radius`, and no elastic stress. */
void slender_start(SlenderThread *thread, const SlenderFluid *fluid, double radius, double length, double amplitude);

/* Advance to a time (s). */
void slender_advance(SlenderThread *thread, double time);

/* 1/m: weight of fluid this far from the middle of a neck in means over a length; its integral is 1. */
double slender_window(double away, double length);

/* m, radius of a round cylinder with that mean of the cross section. */
double slender_neck(const SlenderThread *thread, double length);

/* First Fourier component of the volume per length over its mean: the amplitude over the radius of a small sine. */
double slender_amplitude(const SlenderThread *thread);

#endif
