/* The table of contact laws: built from the solids and the contacts, and looked up per solid and material. */
#include "bodies/solids.h"

#include <string.h>

void dlp__contact_laws_release(dlp__ContactLaws *laws, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &laws->buffer[1]);
    dlp__buffer_release(memory, &laws->buffer[0]);
    *laws = (dlp__ContactLaws){.columns = 0};
}

/* A column for each material named by a contact, in the order of the contacts. */
static int number_columns(uint16_t *column, int materials, const dlp_ContactDef *contacts, int count)
{
    int columns = 1;
    memset(column, 0, (size_t)materials * sizeof *column);
    for (int c = 0; c < count; c++) {
        if (column[contacts[c].material] == 0) {
            column[contacts[c].material] = (uint16_t)columns++;
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

bool dlp__solids_build_contact_laws(dlp__Solids *solids, const dlp_ContactDef *contacts, int count, int materials)
{
    dlp__ContactLaws *laws = &solids->laws;
    laws->columns = 0;
    laws->reach = 0.0;
    laws->rough = false;
    if (!dlp__buffer_reserve(solids->memory, &laws->buffer[0], materials + 1, sizeof *laws->column)) {
        return false;
    }
    laws->column = laws->buffer[0].data;
    const int columns = number_columns(laws->column, materials, contacts, count);
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
