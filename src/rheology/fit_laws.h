/* The laws that can be fitted: their free parameters, and where to start. */
#ifndef DLP_RHEOLOGY_FIT_LAWS_H
#define DLP_RHEOLOGY_FIT_LAWS_H

#include <dollop/fit.h>

/* How a parameter is varied. */
typedef enum dlp__FitScale {
    DLP__SCALE_LOGARITHM, /* above 0 */
    DLP__SCALE_FRACTION,  /* between 0 and 1, by its logit */
    DLP__SCALE_YIELD,     /* 0 or above, by its square root; intervals are those of the value itself */
} dlp__FitScale;

typedef struct dlp__FitTerm {
    char name[32];
    const char *unit;
    size_t offset; /* of a double in dlp_MaterialDef */
    double least, most;
    double reference; /* of DLP__SCALE_YIELD: the lowest stress measured */
    dlp__FitScale scale;
} dlp__FitTerm;

enum { DLP__FIT_STARTS_MOST = 12 };

/* A law with a choice of free parameters. Others are as in `base`. */
typedef struct dlp__FitModel {
    dlp_FitLaw law;
    int modes; /* 0: a flow law */
    dlp_MaterialDef base;
    dlp__FitTerm terms[DLP_FIT_PARAMETERS_MOST];
    int term_count;
    double starts[DLP__FIT_STARTS_MOST][DLP_FIT_PARAMETERS_MOST]; /* values of the parameters */
    int start_count;
} dlp__FitModel;

/* The choices of a flow law, from the simplest: false if there are no more. `data` has a flow curve. */
bool dlp__fit_flow_model(dlp_FitLaw law, int choice, const dlp_FitData *data, double density, dlp__FitModel *model);

/* Maxwell elements, with or without a solvent. `data` has a frequency sweep. `fewer` is the best fit with one mode less, or null. */
void dlp__fit_modes_model(int modes, bool has_solvent, const dlp_FitData *data, double density,
                          const dlp_MaterialDef *fewer, dlp__FitModel *model);

double *dlp__fit_value(dlp_MaterialDef *material, const dlp__FitTerm *term);
/* The relaxation time and modulus of a mode, whether it is the only one or one of a list. */
dlp_RelaxationMode dlp__fit_mode(const dlp_MaterialDef *material, int mode);

#endif
