/* The materials of a world: those that the scene file defines, by name, and then those of includes and of the built-in library that
 * something uses, by first use. Others are removed, so that a file with many materials affects a run only through the ones in use.
 *
 * Built-in materials have thermal properties. Heat is simulated only if the scene asks for it; otherwise such a material is replaced
 * by what it is at its own temperature, which gives the same result without temperatures.
 *
 * Built-in and included materials may have laws that the method does not have: they are replaced by their equivalents. */
#include "scene/scene_internal.h"

#include <dollop/rheology.h>
#include <stdlib.h>
#include <string.h>

/* Marks of a material. */
enum {
    OWN = 1,         /* the scene file defines it            */
    SET = 2,         /* a setting changes it                 */
    NOT_LIBRARY = 4, /* some definition is not built in      */
    HEATED = 8,      /* a thermal property is not built in   */
    USED = 16,
};

static const char *const thermal_keys[] = {
    "temperature",     "conductivity",      "heat_capacity",  "latent_heat",  "melting_point",
    "liquidus",        "emissivity",        "convection",     "heat_source",  "reference_temperature",
    "viscosity_lines", "activation_energy", "frozen_modulus", "viscosity_at", "wlf_c1",
    "wlf_c2",
};

dlp_Result dlp__scene_reserve_marks(dlp__SceneReader *reader, int count)
{
    reader->material_marks = calloc((size_t)count + 1, 1);
    reader->equivalent_rates = malloc(((size_t)count + 1) * sizeof *reader->equivalent_rates);
    if (reader->material_marks == NULL || reader->equivalent_rates == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    for (int i = 0; i < count; i++) {
        reader->equivalent_rates[i] = DLP_EQUIVALENT_RATE;
    }
    return DLP_OK;
}

static dlp_MaterialDef *material_of(const dlp_Scene *scene, int index)
{
    return (dlp_MaterialDef *)(void *)scene->lists[DLP_SECTION_MATERIALS].items + index;
}

static bool gives(const dlp__SceneNode *node, const char *key)
{
    return node->kind == DLP_NODE_MAP && dlp__scene_child(node, key) != NULL;
}

static bool has_viscosity(int32_t flow_law)
{
    return flow_law == DLP_FLOW_NEWTONIAN || flow_law == DLP_FLOW_CARREAU || flow_law == DLP_FLOW_CROSS ||
           flow_law == DLP_FLOW_CASSON || flow_law == DLP_FLOW_BINGHAM;
}

/* A member of an earlier definition that this one does not give. */
static void drop(double *member, const dlp__SceneNode *node, const char *key)
{
    *member = gives(node, key) ? *member : 0.0;
}

static void drop_flow_law(dlp_MaterialDef *m, const dlp__SceneNode *node)
{
    const dlp_MaterialDef none = dlp_default_material_def();
    m->flow_law = DLP_FLOW_NEWTONIAN;
    drop(&m->yield_stress, node, "yield_stress");
    drop(&m->consistency, node, "consistency");
    drop(&m->infinite_viscosity, node, "infinite_viscosity");
    drop(&m->thinning_time, node, "thinning_time");
    drop(&m->recovery_time, node, "recovery_time");
    drop(&m->breakdown, node, "breakdown");
    m->flow_index = gives(node, "flow_index") ? m->flow_index : none.flow_index;
    m->transition = gives(node, "transition") ? m->transition : none.transition;
    m->flow_curve = gives(node, "flow_curve") ? m->flow_curve : none.flow_curve;
}

/* The same for laws: a viscosity alone replaces a flow law that has none, and modes; a relaxation time replaces any flow law; a flow
 * law replaces an elastic law, and modes replace all but a solvent. */
static void drop_contradicted_laws(dlp_MaterialDef *m, const dlp__SceneNode *node)
{
    const bool viscosity = gives(node, "viscosity"), flow = gives(node, "flow_law"), modes = gives(node, "modes");
    const bool relaxes = gives(node, "relaxation_time") || gives(node, "compliance");
    const bool replaced = modes || relaxes || (viscosity && !has_viscosity(m->flow_law));
    if (!flow && replaced) {
        drop_flow_law(m, node);
    }
    const bool is_law = m->flow_law != DLP_FLOW_NEWTONIAN;
    m->modes.count = !modes && (viscosity || (flow && is_law)) ? 0 : m->modes.count;
    if (modes || (flow && is_law)) {
        drop(&m->relaxation_time, node, "relaxation_time");
        drop(&m->extensibility, node, "extensibility");
    }
    if (modes) {
        drop(&m->modulus, node, "modulus");
    }
    if (modes || !has_viscosity(m->flow_law)) {
        drop(&m->viscosity, node, "viscosity");
    }
    if (!gives(node, "elastic_law") && (viscosity || is_law || gives(node, "extensibility"))) {
        m->elastic_law = DLP_ELASTIC_MAXWELL;
    }
    if (gives(node, "activation_energy")) {
        drop(&m->wlf_c1, node, "wlf_c1");
        drop(&m->wlf_c2, node, "wlf_c2");
    } else if (gives(node, "wlf_c1")) {
        m->activation_energy = 0.0;
    }
}

/* Values of earlier definitions that contradict this one no longer hold. A viscosity alone makes a Newtonian fluid, whatever the
 * modulus, relaxation time and table of viscosities were; a modulus or relaxation time replaces a viscosity if all three would remain. */
static void drop_contradicted(dlp_Scene *scene, const dlp__SceneNode *node, int index)
{
    dlp_MaterialDef *m = material_of(scene, index);
    const bool modulus = gives(node, "modulus"), time = gives(node, "relaxation_time");
    drop_contradicted_laws(m, node);
    if (gives(node, "viscosity")) {
        dlp__SceneRows *rows = &scene->rows[DLP_SECTION_MATERIALS][index];
        if (!gives(node, "viscosity_at")) {
            free(rows->pairs);
            *rows = (dlp__SceneRows){NULL, 0};
        }
        m->modulus = modulus || m->flow_law != DLP_FLOW_NEWTONIAN ? m->modulus : 0.0;
        m->relaxation_time = time ? m->relaxation_time : 0.0;
    } else if ((modulus || time) && m->modulus > 0.0 && m->relaxation_time > 0.0) {
        m->viscosity = 0.0;
    }
    if (gives(node, "compliance")) { /* of method conformation: replaces viscosity and modulus */
        m->viscosity = gives(node, "viscosity") ? m->viscosity : 0.0;
        m->modulus = modulus ? m->modulus : 0.0;
    }
}

/* Its value was checked when the definition was read. */
static void note_equivalent_rate(dlp__SceneReader *reader, const dlp__SceneNode *node, int index)
{
    if (gives(node, "equivalent_rate")) {
        const dlp__SceneSection *section = dlp__scene_section(DLP_SECTION_MATERIALS);
        (void)dlp__scene_read_value(reader, dlp__scene_find_info(section, "equivalent_rate")->param,
                                    dlp__scene_child(node, "equivalent_rate"), &reader->equivalent_rates[index]);
    }
}

void dlp__scene_mark_material(dlp__SceneReader *reader, const dlp__SceneNode *node, int index, dlp__SceneOrigin origin)
{
    uint8_t *marks = &reader->material_marks[index];
    note_equivalent_rate(reader, node, index);
    if (origin == DLP_FROM_LIBRARY) {
        return;
    }
    *marks |= NOT_LIBRARY;
    *marks |= origin == DLP_FROM_SCENE ? OWN : 0;
    *marks |= origin == DLP_FROM_SETTING ? SET : 0;
    for (size_t i = 0; i < sizeof thermal_keys / sizeof thermal_keys[0]; i++) {
        *marks |= gives(node, thermal_keys[i]) ? HEATED : 0;
    }
    drop_contradicted(reader->scene, node, index);
}

bool dlp__scene_is_built_in(const dlp__SceneReader *reader, int material)
{
    return (reader->material_marks[material] & NOT_LIBRARY) == 0;
}

/* Replaces every reference to a material by what `visit` returns for it, in the order of sections and items. */
typedef int32_t (*Visit)(void *user, int32_t material);

static void visit_references(dlp_Scene *scene, Visit visit, void *user)
{
    for (int id = 0; id < DLP_SECTION_COUNT; id++) {
        const dlp__SceneSection *section = dlp__scene_section((dlp__SectionId)id);
        const dlp__SceneList *list = &scene->lists[id];
        const dlp_ParamTable *table = section->form == DLP_FORM_LIST ? section->table() : NULL;
        for (int i = 0; table != NULL && i < list->count; i++) {
            for (int k = 0; k < table->count; k++) {
                int32_t *material = (int32_t *)(void *)(list->items + (size_t)i * table->size +
                                                        table->params[k].offset);
                if (table->params[k].type == DLP_PARAM_MATERIAL && *material >= 0) {
                    *material = visit(user, *material);
                }
            }
        }
    }
}

/* The new order of materials. */
typedef struct Order {
    uint8_t *marks;
    double *rates;
    int32_t *old_index; /* by new index */
    int32_t *new_index; /* by old index */
    int count;
} Order;

static void append(Order *order, int material)
{
    order->new_index[material] = order->count;
    order->old_index[order->count++] = material;
    order->marks[material] |= USED;
}

static int32_t append_used(void *user, int32_t material)
{
    Order *order = user;
    if ((order->marks[material] & USED) == 0) {
        append(order, material);
    }
    return material;
}

static int32_t renumber(void *user, int32_t material)
{
    const Order *order = user;
    return order->new_index[material];
}

/* Bytes of `items` in the new order, in new memory. */
static bool reorder(char **items, size_t size, const Order *order)
{
    if (*items == NULL || size == 0) {
        return true;
    }
    char *sorted = calloc((size_t)order->count + 1, size);
    if (sorted == NULL) {
        return false;
    }
    for (int i = 0; i < order->count; i++) {
        memcpy(sorted + (size_t)i * size, *items + (size_t)order->old_index[i] * size, size);
    }
    free(*items);
    *items = sorted;
    return true;
}

/* Removes the materials that are not in the order. */
static bool apply_order(dlp_Scene *scene, Order *order)
{
    dlp__SceneList *list = &scene->lists[DLP_SECTION_MATERIALS];
    const dlp_ParamTable *own = dlp_method_material_params(scene->method_name);
    dlp__SceneRows *rows = scene->rows[DLP_SECTION_MATERIALS];
    for (int i = 0; i < list->count; i++) {
        if ((order->marks[i] & USED) == 0) {
            free(rows[i].pairs);
            rows[i] = (dlp__SceneRows){NULL, 0};
        }
    }
    dlp__SceneRows *sorted_rows = calloc((size_t)order->count + 1, sizeof *rows);
    if (sorted_rows == NULL) {
        return false;
    }
    for (int i = 0; i < order->count; i++) {
        sorted_rows[i] = rows[order->old_index[i]];
    }
    free(rows);
    scene->rows[DLP_SECTION_MATERIALS] = sorted_rows;
    list->count = order->count;
    return reorder(&list->items, dlp_material_params()->size, order) &&
           reorder((char **)(void *)&list->locations, sizeof *list->locations, order) &&
           reorder(&scene->material_params, own != NULL ? own->size : 0, order) &&
           reorder((char **)(void *)&order->rates, sizeof *order->rates, order) &&
           reorder((char **)(void *)&order->marks, 1, order);
}

/* A setting of a material that nothing uses would have no effect. */
static dlp_Result refuse_unused_settings(dlp__SceneReader *reader, const Order *order)
{
    const dlp__SceneList *list = &reader->scene->lists[DLP_SECTION_MATERIALS];
    for (int i = 0; i < list->count; i++) {
        if ((order->marks[i] & (SET | USED)) == SET) {
            return dlp__scene_fail(reader, list->locations[i],
                                   "the scene does not use the material '%s', so the setting has no effect",
                                   material_of(reader->scene, i)->name);
        }
    }
    return DLP_OK;
}

static dlp_Result order_materials(dlp__SceneReader *reader, Order *order)
{
    const int count = reader->scene->lists[DLP_SECTION_MATERIALS].count;
    for (int i = 0; i < count; i++) {
        if ((order->marks[i] & OWN) != 0) {
            append(order, i);
        }
    }
    visit_references(reader->scene, append_used, order);
    const dlp_Result result = refuse_unused_settings(reader, order);
    if (result != DLP_OK) {
        return result;
    }
    visit_references(reader->scene, renumber, order);
    const bool applied = apply_order(reader->scene, order);
    reader->material_marks = order->marks;
    reader->equivalent_rates = order->rates;
    return applied ? DLP_OK : dlp__scene_fail_memory(reader);
}

/* Whether something in the scene has a temperature of its own, or materials have different temperatures. */
static bool asks_for_heat(const dlp__SceneReader *reader)
{
    const dlp_Scene *scene = reader->scene;
    const dlp_WorldDef usual = dlp_default_world_def();
    bool asks = scene->world.air_temperature != usual.air_temperature || scene->world.heat != usual.heat;
    const dlp__SceneList *lists = scene->lists;
    for (int i = 0; i < lists[DLP_SECTION_SOLIDS].count; i++) {
        const dlp_SolidDef *solid = (const dlp_SolidDef *)(const void *)lists[DLP_SECTION_SOLIDS].items + i;
        asks |= solid->temperature > 0.0 || solid->heat_capacity > 0.0;
    }
    for (int i = 0; i < lists[DLP_SECTION_FLUIDS].count; i++) {
        asks |= ((const dlp_FluidDef *)(const void *)lists[DLP_SECTION_FLUIDS].items)[i].temperature > 0.0;
    }
    for (int i = 0; i < lists[DLP_SECTION_EMITTERS].count; i++) {
        asks |= ((const dlp_EmitterDef *)(const void *)lists[DLP_SECTION_EMITTERS].items)[i].temperature > 0.0;
    }
    for (int i = 0; i < lists[DLP_SECTION_MATERIALS].count; i++) {
        asks |= (reader->material_marks[i] & HEATED) != 0 ||
                material_of(scene, i)->temperature != material_of(scene, 0)->temperature;
    }
    return asks;
}

static void leave_out_heat(dlp_Scene *scene)
{
    for (int i = 0; i < scene->lists[DLP_SECTION_MATERIALS].count; i++) {
        dlp__SceneRows *rows = &scene->rows[DLP_SECTION_MATERIALS][i];
        dlp_MaterialDef *material = material_of(scene, i);
        *material = dlp_material_at(material, (const dlp_ViscosityKey *)(const void *)rows->pairs, rows->count,
                                    material->temperature);
        free(rows->pairs);
        *rows = (dlp__SceneRows){NULL, 0};
    }
}

/* Whether a parameter of laws differs from its default. */
static bool has_laws(const dlp_MaterialDef *material)
{
    const dlp_ParamTable *table = dlp_material_params();
    bool has = false;
    for (int i = 0; i < table->count && !has; i++) {
        const dlp_Param *param = &table->params[i];
        has = (param->use & DLP_USE_LAWS) != 0 && !dlp_params_is_default(param, material);
    }
    return has;
}

/* Viscosities over temperature become those of the equivalents at these temperatures. */
static bool replace_laws_of(dlp_MaterialDef *material, dlp__SceneRows *rows, double rate)
{
    const size_t bytes = (size_t)rows->count * sizeof(dlp_ViscosityKey);
    dlp_ViscosityKey *keys = malloc(bytes + 1);
    if (keys == NULL) {
        return false;
    }
    for (int k = 0; k < rows->count; k++) {
        keys[k] = (dlp_ViscosityKey){rows->pairs[k].at, rows->pairs[k].value};
    }
    for (int k = 0; k < rows->count; k++) {
        const dlp_MaterialDef there = dlp_material_at(material, keys, rows->count, keys[k].temperature);
        rows->pairs[k].value = dlp_material_equivalent(&there, rate).viscosity;
    }
    free(keys);
    *material = dlp_material_equivalent(material, rate);
    return true;
}

/* Keys of laws in the scene file itself are refused: see scene_uses.c. */
static dlp_Result replace_laws(dlp__SceneReader *reader)
{
    const char *method = reader->scene->method_name;
    const dlp_Param law = {.use = DLP_USE_LAWS}, rheology = {.use = DLP_USE_RHEOLOGY};
    const int count = dlp_method_uses(method, &law) ? 0 : reader->scene->lists[DLP_SECTION_MATERIALS].count;
    for (int i = 0; i < count; i++) {
        dlp_MaterialDef *m = material_of(reader->scene, i);
        if (!has_laws(m)) {
            continue;
        }
        const double rate = reader->equivalent_rates[i];
        if (!replace_laws_of(m, &reader->scene->rows[DLP_SECTION_MATERIALS][i], rate)) {
            return dlp__scene_fail_memory(reader);
        }
        if (dlp_method_uses(method, &rheology)) {
            dlp__scene_note(reader,
                            "material %s: method %s has no flow laws, elastic laws and modes, so it is %s with the "
                            "viscosity of the law at a shear rate of %g/s, %.3g Pa.s; use method: physical",
                            m->name, method, m->modulus > 0.0 ? "a Maxwell fluid" : "Newtonian", rate, m->viscosity);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__scene_select_materials(dlp__SceneReader *reader)
{
    const int count = reader->scene->lists[DLP_SECTION_MATERIALS].count;
    int32_t *indices = malloc(((size_t)count + 1) * 2 * sizeof *indices);
    if (indices == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    Order order = {reader->material_marks, reader->equivalent_rates, indices, indices + count + 1, 0};
    dlp_Result result = count > 0 ? order_materials(reader, &order) : DLP_OK;
    free(indices);
    if (result == DLP_OK && !asks_for_heat(reader)) {
        leave_out_heat(reader->scene);
    }
    return result == DLP_OK ? replace_laws(reader) : result;
}
