/* The scenes that are installed with dollop. */
#ifndef DOLLOP_INSTALLED_SCENES_H
#define DOLLOP_INSTALLED_SCENES_H

#include <stdio.h>

/* `path`, or the installed scene of that name if `path` begins with "scenes/" and there is no such file here. The result is valid until
 * the next call. */
const char *installed_scene_find(const char *path);

/* The help page: the folder of the scenes, and what each of them shows. */
void installed_scenes_print(FILE *file);

#endif
