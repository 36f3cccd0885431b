/* Temporary: the functions of rheology.h that fits need. Replaced by the implementation of branch wt-curves. */
#include "materials/flow_law.h"

#include <dollop/rheology.h>

#include <math.h>

dlp_Result dlp_material_check(const dlp_MaterialDef *material, dlp_Error *error)
{
    return material ? dlp__flow_law_check(material, error) : dlp__fail_null(error);
}

double dlp_material_shear_stress(const dlp_MaterialDef *material, double rate)
{
    if (!material) {
        return NAN;
    }
    double viscosity = material->solvent_viscosity +
                       (material->modes.count == 0 ? material->modulus * material->relaxation_time : 0.0);
    for (int64_t k = 0; k < material->modes.count; k++) {
        viscosity += material->modes.mode[k].modulus * material->modes.mode[k].relaxation_time;
    }
    return dlp__flow_stress(material, rate, 1.0) + viscosity * rate;
}

static void add_mode(double modulus, double time, double frequency, double *storage, double *loss)
{
    const double x = time * frequency;
    *storage += modulus * x * x / (1.0 + x * x);
    *loss += modulus * x / (1.0 + x * x);
}

void dlp_material_moduli(const dlp_MaterialDef *material, double frequency, double *storage, double *loss)
{
    if (!material || !storage || !loss) {
        return;
    }
    *storage = 0.0;
    *loss = (material->solvent_viscosity + material->viscosity) * frequency;
    if (material->modes.count == 0) {
        add_mode(material->modulus, material->relaxation_time, frequency, storage, loss);
    }
    for (int64_t k = 0; k < material->modes.count; k++) {
        add_mode(material->modes.mode[k].modulus, material->modes.mode[k].relaxation_time, frequency, storage, loss);
    }
}
