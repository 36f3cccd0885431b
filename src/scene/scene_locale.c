/* Switches the calling thread to the C locale, so that "0.5" is read correctly if the locale has a decimal comma. */
#include "scene/scene_units.h"

#include <locale.h>

dlp__SceneLocale dlp__scene_enter_locale(void)
{
    dlp__SceneLocale locale = {NULL, NULL};
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c != (locale_t)0) {
        locale.c = c;
        locale.old = uselocale(c);
    }
    return locale;
}

void dlp__scene_leave_locale(dlp__SceneLocale locale)
{
    if (locale.c != NULL) {
        uselocale((locale_t)locale.old);
        freelocale((locale_t)locale.c);
    }
}
