/* The loops around the solver; the equations are in materials/conformation_tensor.h. */
#include "methods/conformation/conformation_stages.h"
#include "methods/conformation/conformation_fields.h"

#include "materials/conformation_tensor.h"

static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__ConformationArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__ConformationFields *f = dlp__own_fields(p);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->start[a][i] = p->position[a][i] - arguments->dt * p->velocity[a][i];
        }
    }
    dlp__MaxwellStep step = {0.0f, 0.0f};
    int32_t known = -1; /* neighbours are mostly of one material */
    bool changes = false;
    for (int64_t i = begin; i < end; i++) {
        if (p->material[0][i] != known || changes) {
            known = p->material[0][i];
            changes = dlp__heat_material_varies(arguments->heat, arguments->materials, known);
            const dlp_MaterialDef material = dlp__heat_material(arguments->heat, arguments->materials, p, i);
            step = dlp__conformation_maxwell(&material, &arguments->own[known], (double)arguments->dt);
        }
        f->compliance[0][i] = step.compliance;
        f->retention[0][i] = step.retention;
    }
}

/* The tensor stops growing at this stretch, tenfold: a torn fluid must not overflow single precision. */
static const float MOST_STRETCH = 100.0f;

DLP_INLINE dlp__Wide largest(const SymmetricMatrix *m)
{
    return dlp__wide_max(m->xx, dlp__wide_max(m->yy, m->zz)); /* I + m is positive: no other component is much larger */
}

DLP_INLINE void update_range(const dlp__StageContext *c, int64_t begin, int64_t end, dlp_KernelKind kind)
{
    const dlp__ConformationArguments *arguments = c->arguments;
    const dlp__Wide volume = dlp__wide(arguments->volume), most = dlp__wide(MOST_STRETCH);
    dlp__Particles *p = c->particles;
    const dlp__ConformationFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        SymmetricMatrix correction = load_symmetric(p->correction_matrix, i), q = load_symmetric(f->conformation, i);
        dlp__Wide gradient[9];
        gradient_at(c, i, &arguments->kernel, volume, kind, &correction, gradient);
        q = convect(&q, gradient, dlp__wide(arguments->dt));
        dlp__Wide kept = dlp__wide_load(f->retention[0] + i) * (most / dlp__wide_max(largest(&q), most));
        q = scaled(&q, kept);
        store_symmetric(f->conformation, i, &q);
    }
}

static void update(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__ConformationArguments *arguments = c->arguments;
    DLP_BY_KERNEL(arguments->kernel.kind, update_range, c, begin, end)
}

const dlp__ConformationStages DLP_WIDE(dlp__conformation_stages) = {
    .prepare = {.name = "conformation prepare",
                .function = prepare,
                .reads = {DLP_FIELD_material, DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_temperature,
                          DLP_FIELD_enthalpy},
                .writes = {DLP_FIELD_start, OWN_compliance, OWN_retention}},
    .update = {.name = "conformation update",
               .function = update,
               .reads = {DLP_FIELD_correction_matrix, OWN_retention},
               .gathers = {DLP_ROW_VECTOR(DLP_FIELD_start), DLP_ROW_VECTOR(DLP_FIELD_velocity)},
               .writes = {OWN_conformation}},
};
