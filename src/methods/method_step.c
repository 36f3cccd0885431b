/* Parts of a step that all methods share, after positions are predicted: sinks, neighbours, companions, bonds, heat. */
#include "methods/method.h"

void dlp__step_apply_sinks(dlp__StepContext *step)
{
    if (step->is_sunk != NULL) {
        dlp__domains_remove(step->domains, step->is_sunk, step->sinks);
    }
}

void dlp__step_find_neighbors(dlp__StepContext *step)
{
    dlp__domains_update(step->domains, &step->removed);
}

void dlp__step_find_companions(dlp__StepContext *step)
{
    dlp__companions_update(step->companions, step->domains);
}

void dlp__step_update_bonds(dlp__StepContext *step)
{
    dlp__Domains *domains = step->domains;
    if (dlp__step_is_ok(domains)) {
        const float reach = (float)domains->ghost_layers * domains->support;
        dlp__require_memory(domains, dlp__bonds_update(step->bonds, domains, reach), "bonds");
    }
}

void dlp__step_conduct_heat(dlp__StepContext *step)
{
    if (step->heat->active && dlp__step_is_ok(step->domains)) {
        dlp__heat_step(&step->conduction);
    }
}
