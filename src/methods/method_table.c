/* The methods in this build. */
#include "methods/blend/blend.h"
#include "methods/conformation/conformation.h"
#include "methods/links/links.h"
#include "methods/method.h"
#include "methods/mps/mps.h"
#include "methods/pbf/pbf.h"
#include "methods/physical/physical.h"
#include "methods/springs/springs.h"

#include <string.h>

static const dlp__Method *const methods[] = {&dlp__physical, &dlp__pbf, &dlp__conformation, &dlp__springs,
                                             &dlp__links,    &dlp__mps, &dlp__blend};

int dlp_method_count(void)
{
    return (int)(sizeof methods / sizeof methods[0]);
}

const char *dlp_method_name(int index)
{
    return index >= 0 && index < dlp_method_count() ? methods[index]->name : NULL;
}

const char *dlp_method_summary(int index)
{
    return index >= 0 && index < dlp_method_count() ? methods[index]->summary : NULL;
}

const dlp_ParamTable *dlp_method_params(const char *method)
{
    if (method == NULL) {
        return NULL;
    }
    const dlp__Method *found = dlp__method_find(method);
    return found != NULL ? found->params : NULL;
}

const dlp_ParamTable *dlp_method_material_params(const char *method)
{
    if (method == NULL) {
        return NULL;
    }
    const dlp__Method *found = dlp__method_find(method);
    return found != NULL ? found->material_params : NULL;
}

bool dlp_method_uses(const char *method, const dlp_Param *param)
{
    if (method == NULL || param == NULL) {
        return false;
    }
    const dlp__Method *found = dlp__method_find(method);
    return found != NULL && (param->use & ~found->uses) == 0;
}

const dlp__Method *dlp__method_find(const char *name)
{
    for (int i = 0; i < dlp_method_count(); i++) {
        if (strcmp(methods[i]->name, name) == 0) {
            return methods[i];
        }
    }
    return NULL;
}
