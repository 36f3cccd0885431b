/* The page that lists all certificates of a folder. */
#ifndef DOLLOP_CERTIFICATE_INDEX_H
#define DOLLOP_CERTIFICATE_INDEX_H

#include <dollop/material_library.h>
#include <stdbool.h>

/* Stands before the largest deviation in each page, "within **0.38 %**". */
#define DEVIATION_MARK "within **"

/* Whether a material has a steady shear stress; and whether it has that or a modulus, without which there is no law to certify. */
bool material_flows(const dlp_MaterialDef *material);
bool material_has_law(const dlp_MaterialDef *material);

/* Lists the built-in materials that have a page NAME.md in the folder, with the deviation that the page gives. To be freed; null without
 * memory. */
char *certificate_index(const dlp_Library *library, const char *folder);

#endif
