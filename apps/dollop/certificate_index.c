/* The index of the certificates: a table for each kind of material, with the plots of the pages. */
#include "certificate_index.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/human.h"
#include "material_cells.h"

#include <dollop/rheology.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Kind { LIQUID, THINNING, PASTE, VISCOELASTIC, SOLID, KINDS } Kind;

static const char *const titles[KINDS] = {
    [LIQUID] = "Newtonian liquids",         [THINNING] = "Liquids that thin", [PASTE] = "Pastes with a yield stress",
    [VISCOELASTIC] = "Viscoelastic fluids", [SOLID] = "Elastic solids",
};

bool material_flows(const dlp_MaterialDef *material)
{
    return dlp_material_shear_stress(material, 1.0) > 0.0;
}

bool material_has_law(const dlp_MaterialDef *material)
{
    return material_flows(material) || material->modulus > 0.0;
}

static Kind kind_of(const dlp_MaterialDef *m)
{
    if (!material_flows(m)) {
        return SOLID;
    }
    if (dlp_material_yield_stress(m) > 0.0) {
        return PASTE;
    }
    if (m->flow_law != DLP_FLOW_NEWTONIAN) {
        return THINNING;
    }
    return m->modes.count > 0 || m->relaxation_time > 0.0 || m->modulus > 0.0 ? VISCOELASTIC : LIQUID;
}

/* The deviation that a page in the folder gives, "0.38 %"; "" if there is no page. */
static HumanText certified_deviation(const char *folder, const char *name)
{
    char path[4096];
    HumanText deviation = {""};
    snprintf(path, sizeof path, "%s/%s.md", folder, name);
    char *text = file_read_text(path, FILE_READ);
    const char *begin = text ? strstr(text, DEVIATION_MARK) : NULL;
    if (begin) {
        begin += strlen(DEVIATION_MARK);
        snprintf(deviation.text, sizeof deviation.text, "%.*s", (int)strcspn(begin, "*"), begin);
    }
    free(text);
    return deviation;
}

/* Below a heading, if there is a material of this kind. */
static void write_kind(FILE *file, const dlp_Library *library, const char *folder, Kind kind)
{
    bool has_heading = false;
    for (int i = 0; i < dlp_library_count(library); i++) {
        const dlp_LibraryMaterial *source = dlp_library_get(library, i);
        const dlp_MaterialDef own = material_at_own_temperature(source);
        const HumanText deviation = certified_deviation(folder, own.name);
        if (!*deviation.text || kind_of(&own) != kind) {
            continue;
        }
        if (!has_heading) {
            fprintf(file,
                    "\n## %s\n\n| material | measured | law | flow | modulus | grade | deviation |\n"
                    "| --- | --- | --- | --- | --- | --- | ---: |\n",
                    titles[kind]);
            has_heading = true;
        }
        fprintf(file,
                "| [%s](%s.md) | [<img src=\"%s.svg\" alt=\"plot\" width=\"150\">](%s.md) | %s | %s | %s | %s | %s |\n",
                own.name, own.name, own.name, own.name, cell_law(&own).text,
                material_flows(&own) ? cell_flow(source, &own).text : "-", cell_quantity(own.modulus, "Pa").text,
                dlp_grade_name(source->grade), deviation.text);
    }
}

static void write_summary(FILE *file, const dlp_Library *library, const char *folder)
{
    int pages = 0;
    double worst = 0.0;
    for (int i = 0; i < dlp_library_count(library); i++) {
        const HumanText deviation = certified_deviation(folder, dlp_library_get(library, i)->def.name);
        const double value = strtod(deviation.text, NULL);
        pages += *deviation.text != 0;
        worst = value > worst ? value : worst;
    }
    fprintf(file, "%d materials, all within %.2f %% of their laws.\n", pages, worst);
}

char *certificate_index(const dlp_Library *library, const char *folder)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        return NULL;
    }
    fputs(
        "# Certificates of the built-in materials\n\n"
        "Each built-in material was measured with the virtual rheometer (`dollop rheometer`): the particles of method `physical` in a\n"
        "sheared periodic box, over four decades of shear rate, or with small oscillations if it is an elastic solid or relaxes slowly. The\n"
        "deviation is the largest of all points from the law of the material, at three particle spacings and three time steps. It says how\n"
        "well the simulation gives the law back. How well the law describes the real material is said by its grade and source.\n\n",
        file);
    write_summary(file, library, folder);
    for (int kind = 0; kind < KINDS; kind++) {
        write_kind(file, library, folder, (Kind)kind);
    }
    fputs(
        "\nWritten by `dollop rheometer --certify`. Each page tells when and with which version its material was measured.\n",
        file);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
