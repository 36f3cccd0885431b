/* The parts that the law of a material is made of, for the curves of rheology.h: either a viscous fluid, or Maxwell elements that relax by an
 * elastic law, or one element that relaxes as its flow law says. The solvent is added to each. */
#ifndef DLP_MATERIALS_LAW_PARTS_H
#define DLP_MATERIALS_LAW_PARTS_H

#include <dollop/world.h>

typedef enum dlp__LawKind {
    DLP_LAW_VISCOUS, /* generalised Newtonian: stress = flow_stress(rate) */
    DLP_LAW_ELASTIC, /* Maxwell elements */
    DLP_LAW_PLASTIC, /* Saramito's law: relaxes at the rate (G / t) flow_rate_at(t), with t = sqrt(s:s / 2) of the elastic stress */
} dlp__LawKind;

typedef struct dlp__LawParts {
    const dlp_MaterialDef *material;
    dlp__LawKind kind;
    int mode_count;                          /* 1 if plastic */
    dlp_RelaxationMode mode[DLP_MODES_MOST]; /* relaxation time infinite: it never relaxes; not used if plastic */
    double limit;                            /* b of FENE-P, the limit of tr Q; 0: none */
} dlp__LawParts;

dlp__LawParts dlp__law_parts(const dlp_MaterialDef *material);

/* fmin and fmax with a bound that is a number, without a call. */
static inline double dlp__at_most(double x, double bound)
{
    return x < bound ? x : bound;
}

static inline double dlp__at_least(double x, double bound)
{
    return x > bound ? x : bound;
}

/* Whether its modulus is numerical: in steady flow such a material has no elasticity. */
static inline bool dlp__law_is_rigid(const dlp__LawParts *law)
{
    return law->kind == DLP_LAW_PLASTIC && law->material->modulus <= 0.0;
}

/* A stress in simple shear or extension; x is along the flow, z along the gradient. */
typedef struct dlp__LawStress {
    double xx, yy, zz, xz; /* Pa */
} dlp__LawStress;

/* Pa, sqrt(s:s / 2) of its deviator s: the shear stress in pure shear. */
double dlp__law_stress_size(const dlp__LawStress *stress);

/* 1/s: the rate of flow of a thixotropic Maxwell element that breaks its structure, t over its viscosity. */
double dlp__law_element_flow(const dlp_RelaxationMode *mode, double size, double structure);

#endif
