#include "methods/springs/springs_fields.h"

#define INFO(name, type, components, unit, flags, meaning) \
    DLP_OWN_FIELD_INFO(dlp__SpringsFields, name, type, components, unit, flags)

static const dlp__FieldInfo info[] = {DLP_SPRINGS_FIELDS(INFO)};

_Static_assert(sizeof info / sizeof info[0] <= DLP_OWN_FIELDS_MOST, "raise DLP_OWN_FIELDS_MOST");
_Static_assert(sizeof(dlp__SpringsFields) <= DLP_OWN_ARRAYS_MOST * sizeof(void *), "raise DLP_OWN_ARRAYS_MOST");

const dlp__FieldTable dlp__springs_fields = {(int)(sizeof info / sizeof info[0]), info};
