/* The table of contact laws: built from the solids and the contacts, and looked up per solid and material. */
#include "bodies/solids.h"

#include <math.h>
#include <string.h>

void dlp__contact_laws_release(dlp__ContactLaws *laws, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &laws->buffer[1]);
    dlp__buffer_release(memory, &laws->buffer[0]);
    *laws = (dlp__ContactLaws){.columns = 0};
}

/* J/m2, to separate a fluid from a solid: surface tension (1 + cos(contact angle)), by Young and Dupre. */
static double work_of_adhesion(const dlp__WettingMaterials *fluids, int material)
{
    const dlp_MaterialDef *fluid = fluids->material == NULL ? NULL : &fluids->material[material];
    return fluid == NULL ? 0.0 : fluid->surface_tension * (1.0 + cos(fluid->contact_angle));
}

/* A column for each material named by a contact, in the order of the contacts, and for each one that wets solids. */
static int number_columns(uint16_t *column, const dlp_ContactDef *contacts, int count,
                          const dlp__WettingMaterials *fluids)
{
    int columns = 1;
    memset(column, 0, (size_t)fluids->count * sizeof *column);
    for (int c = 0; c < count; c++) {
        if (column[contacts[c].material] == 0) {
            column[contacts[c].material] = (uint16_t)columns++;
        }
    }
    for (int m = 0; m < fluids->count; m++) {
        if (column[m] == 0 && work_of_adhesion(fluids, m) > 0.0) {
            column[m] = (uint16_t)columns++;
        }
    }
    return columns;
}

/* The distance field of a mesh ends at its band. */
static double reach_of(const dlp__Solids *solids, const dlp__Solid *solid, double requested)
{
    const double reach = requested > 0.0 ? requested : (double)solids->spacing;
    return solid->shape.kind == DLP_SHAPE_MESH ? fmin(reach, solids->meshes->band - 0.5 * (double)solids->spacing)
                                               : reach;
}

static dlp__ContactLaw own_law(const dlp__Solids *solids, const dlp__Solid *solid)
{
    return (dlp__ContactLaw){solid->def.friction, solid->def.stickiness, reach_of(solids, solid, solid->def.reach)};
}

static void apply(const dlp__Solids *solids, const dlp_ContactDef *contact, dlp__ContactLaw *row, int first, int last)
{
    const dlp__ContactLaws *laws = &solids->laws;
    for (int k = first; k <= last; k++) {
        dlp__ContactLaw *law = &row[(int64_t)k * laws->columns + laws->column[contact->material]];
        law->friction = contact->friction >= 0.0 ? contact->friction : law->friction;
        law->stickiness = contact->stickiness >= 0.0 ? contact->stickiness : law->stickiness;
        law->reach = contact->reach >= 0.0 ? reach_of(solids, &solids->solid[k], contact->reach) : law->reach;
    }
}

/* The traction of a sticky wall decreases from the stickiness to zero over its reach, so the work of adhesion is half their product. */
static void apply_wetting(const dlp__Solids *solids, const dlp__WettingMaterials *fluids)
{
    const dlp__ContactLaws *laws = &solids->laws;
    for (int m = 0; m < fluids->count; m++) {
        const double work = work_of_adhesion(fluids, m);
        for (int k = 0; k < solids->count && work > 0.0; k++) {
            dlp__ContactLaw *law = &laws->law[(int64_t)k * laws->columns + laws->column[m]];
            law->stickiness = fmax(law->stickiness, 2.0 * work / law->reach);
        }
    }
}

bool dlp__solids_build_contact_laws(dlp__Solids *solids, const dlp_ContactDef *contacts, int count,
                                    const dlp__WettingMaterials *fluids)
{
    dlp__ContactLaws *laws = &solids->laws;
    laws->columns = 0;
    laws->reach = 0.0;
    laws->rough = false;
    if (!dlp__buffer_reserve(solids->memory, &laws->buffer[0], fluids->count + 1, sizeof *laws->column)) {
        return false;
    }
    laws->column = laws->buffer[0].data;
    const int columns = number_columns(laws->column, contacts, count, fluids);
    if (!dlp__buffer_reserve(solids->memory, &laws->buffer[1], (int64_t)columns * solids->count + 1,
                             sizeof *laws->law)) {
        return false;
    }
    laws->law = laws->buffer[1].data;
    laws->columns = columns;
    for (int k = 0; k < solids->count; k++) {
        for (int c = 0; c < columns; c++) {
            laws->law[(int64_t)k * columns + c] = own_law(solids, &solids->solid[k]);
        }
    }
    for (int c = 0; c < count; c++) {
        const int one = contacts[c].solid;
        apply(solids, &contacts[c], laws->law, one < 0 ? 0 : one, one < 0 ? solids->count - 1 : one);
    }
    apply_wetting(solids, fluids);
    for (int64_t n = 0; n < (int64_t)columns * solids->count; n++) {
        laws->rough |= dlp__has_coulomb_friction(&solids->solid[n / columns], laws->law[n].friction);
        if (laws->law[n].stickiness > 0.0) {
            laws->reach = fmax(laws->reach, laws->law[n].reach);
        }
    }
    return true;
}

dlp__ContactLaw dlp__contact_law(const dlp__Solids *solids, const dlp__Solid *solid, int material)
{
    const dlp__ContactLaws *laws = &solids->laws;
    return laws->columns > 0 ? laws->law[(solid - solids->solid) * laws->columns + laws->column[material]]
                             : own_law(solids, solid);
}
