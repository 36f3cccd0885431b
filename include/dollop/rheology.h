/* What the law of a material predicts in the flows of a rheometer: homogeneous simple shear and extension, without particles. These
 * are the curves with which the virtual rheometer compares what a simulation gives.
 *
 * A material is taken at its reference temperature; see dlp_material_at() for others. Functions return NaN where the law has no such
 * value (an elastic solid has no steady stress) and for null pointers. */
#ifndef DOLLOP_RHEOLOGY_H
#define DOLLOP_RHEOLOGY_H

#include <dollop/defs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Refuses parameters that contradict each other: the checks of dlp_world_add_material(). */
DLP_API dlp_Result dlp_material_check(const dlp_MaterialDef *material, dlp_Error *error);

/* Steady simple shear at `rate` (1/s). A paste without a modulus is rigid: its stress is that of its flow law and N1 is 0. With a modulus
 * Saramito's law gives both, and N1 adds to the stress that makes it flow. The structure of a thixotropic material is broken by the rate at
 * which its stress would make a viscous material of that law flow, which without elasticity is the shear rate. At rate 0: the limit of slow flow. */
DLP_API double dlp_material_shear_stress(const dlp_MaterialDef *material, double rate);  /* Pa, solvent included */
DLP_API double dlp_material_normal_stress(const dlp_MaterialDef *material, double rate); /* Pa, first difference N1 */
DLP_API double dlp_material_yield_stress(const dlp_MaterialDef *material); /* Pa; 0: it flows at any stress */

/* Steady uniaxial extension at `rate` (1/s): stress along minus stress across, Pa. NaN at rates at which it would be stretched for ever. */
DLP_API double dlp_material_extensional_stress(const dlp_MaterialDef *material, double rate);

/* Storage and loss modulus (Pa) at an angular frequency (rad/s), for small strains. Below its yield stress a material is an elastic solid; the
 * storage modulus of a rigid paste, and both moduli of a viscous fluid that thins without limit at low rates, are NaN. */
DLP_API void dlp_material_moduli(const dlp_MaterialDef *material, double frequency, double *storage, double *loss);

/* The Newtonian or Maxwell fluid that replaces a material with laws in methods that have none (a shear rate of
 * DLP_EQUIVALENT_RATE): it has the same stress in steady shear at `rate` (1/s, above 0). Its modulus is that of the law, or the sum
 * of its modes; a yield stress becomes part of the viscosity. */
#define DLP_EQUIVALENT_RATE 1.0 /* 1/s */
DLP_API dlp_MaterialDef dlp_material_equivalent(const dlp_MaterialDef *material, double rate);

/* Creeping flows in rheometers with walls, from the steady shear stress at each place. NaN where the stress does not rise with the rate. */

/* Coaxial cylinders of radii `inner` and `outer` (m), of which the inner one turns at `rotation` (rad/s): torque over length, N. */
DLP_API double dlp_material_couette_torque(const dlp_MaterialDef *material, double inner, double outer,
                                           double rotation);

/* Squeeze flow: fluid between plates that approach each other at `speed` (m/s), without slip, its free end `radius` (m) from the middle. */
typedef enum dlp_SqueezeShape {
    DLP_SQUEEZE_DISC,  /* of this radius: force in N */
    DLP_SQUEEZE_STRIP, /* of twice this width, long across the flow: force over length in N/m */
} dlp_SqueezeShape;
/* Lubrication theory, which holds where the gap (m) is small against the radius (Covey and Stanmore 1981, for any flow curve), and its
 * first correction: the fluid in the middle plane is stretched, which adds a normal stress (of a plastic, the pi / 2 of Prandtl). */
DLP_API double dlp_material_squeeze_force(const dlp_MaterialDef *material, dlp_SqueezeShape shape, double radius,
                                          double gap, double speed);

/* The state of a material in simple shear. */
typedef struct dlp_ShearState {
    double time;          /* s */
    double rate;          /* 1/s */
    double strain;        /* since the start */
    double stress;        /* Pa */
    double normal_stress; /* Pa, N1 */
    double structure;     /* 1 at rest; below 1 in a thixotropic material that has been sheared */
} dlp_ShearState;

/* The shear rate (1/s) at a time. */
typedef double (*dlp_ShearRateFunction)(void *user, double time);

/* The response, from rest, to a prescribed shear rate: states[k] is that at times[k]. Times (s) start at 0 or later and increase. The error of
 * stresses is about 1e-6 of them. Where the flow runs away, or the law is too stiff to be integrated, the result is DLP_ERROR_NOT_FINITE and the
 * states from then on are NaN. A paste without a modulus has a numerical one here, about 100 times its stress at 100 1/s. */
DLP_API dlp_Result dlp_material_shear(const dlp_MaterialDef *material, dlp_ShearRateFunction rate, void *user,
                                      const double *times, int count, dlp_ShearState *states, dlp_Error *error);

/* The response, from rest, to a constant shear stress (Pa) from time 0 on: a creep test without inertia. The state at time 0 is that after the
 * elastic jump, which a solvent prevents. */
DLP_API dlp_Result dlp_material_creep(const dlp_MaterialDef *material, double stress, const double *times, int count,
                                      dlp_ShearState *states, dlp_Error *error);

/* A thread of fluid that is periodic along its axis and symmetric about the middles of its neck and of its bulge. */
typedef struct dlp_ThreadDef {
    size_t size;
    double length; /* m, of a period */
    const double
        *radii;    /* m, at the start: `count` of them, in the middles of equal slices from the bulge to the neck */
    int64_t count; /* 2 or more */
    double window; /* m, length around the neck over which its cross section is averaged, with the weight 1 + cos */
} dlp_ThreadDef;
DLP_API dlp_ThreadDef dlp_default_thread_def(void); /* length, radii and window are to be given */

/* How a thread thins from rest under its surface tension, without inertia: necks[k] (m) is the radius of a cylinder with the mean cross section
 * of its neck at times[k] (s, increasing). It is NaN once the neck has broken. The thread is slender: a model in one dimension with the whole
 * curvature of its surface. For Newtonian, Maxwell and Oldroyd-B fluids, also with several modes; others are DLP_ERROR_UNSUPPORTED. */
DLP_API dlp_Result dlp_material_thread(const dlp_MaterialDef *material, const dlp_ThreadDef *thread,
                                       const double *times, int count, double *necks, dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif
