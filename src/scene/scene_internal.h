/* Shared by the files of src/scene: the scene, the texts it was read from, and the tree that the text is parsed to.
 *
 *     text --scene_tree--> nodes --scene_settings--> nodes --scene_load--> dlp_Scene --scene_build--> dlp_World
 *
 * Every value keeps its location (source, byte offset), so that each message can report it. */
#ifndef DLP_SCENE_INTERNAL_H
#define DLP_SCENE_INTERNAL_H

#include <dollop/scene.h>

#define DLP_SCENE_BYTES_MAX (64u << 20) /* of one file: enough for about two million points */
#define DLP_SCENE_ITEMS_MAX 65535       /* materials, solids, ... of one scene             */

/* A source text: a file, the memory given to dlp_scene_parse(), or one setting. */
typedef struct dlp__SceneSource {
    char *name; /* path; null for a setting                         */
    char *text; /* `length` bytes and a terminating zero             */
    size_t length;
} dlp__SceneSource;

typedef struct dlp__SceneLocation {
    uint32_t offset; /* bytes from the start of the source         */
    uint16_t source; /* index into dlp_Scene.sources               */
    uint16_t width;  /* bytes to underline in a message; may be 0  */
} dlp__SceneLocation;

/* The items of a section: an array of the structs that the parameter table of the section describes. */
typedef struct dlp__SceneList {
    char *items;
    dlp__SceneLocation *locations;
    int count;
} dlp__SceneList;

/* Explicit positions of the particles of a fluid; null if it has a shape. */
typedef struct dlp__ScenePoints {
    float *xyz;
    int64_t count;
} dlp__ScenePoints;

/* The path of a solid or emitter; null if it has none. */
typedef struct dlp__SceneKeys {
    dlp_PoseKey *keys;
    int count;
} dlp__SceneKeys;

/* A row of two values, with the memory layout of dlp_FlowKey and dlp_ViscosityKey. */
typedef struct dlp__ScenePair {
    double at, value;
} dlp__ScenePair;
_Static_assert(sizeof(dlp_FlowKey) == sizeof(dlp__ScenePair) && sizeof(dlp_ViscosityKey) == sizeof(dlp__ScenePair),
               "both structs must be pairs of doubles");

/* The flow of an emitter or the viscosities of a material; null if it has none. */
typedef struct dlp__SceneRows {
    dlp__ScenePair *pairs;
    int count;
} dlp__SceneRows;

/* The sections of a scene file in the order of the reference. */
typedef enum dlp__SectionId {
    DLP_SECTION_INCLUDE,
    DLP_SECTION_WORLD,
    DLP_SECTION_METHOD,
    DLP_SECTION_RUN,
    DLP_SECTION_MATERIALS,
    DLP_SECTION_MESHES,
    DLP_SECTION_SOLIDS,
    DLP_SECTION_JOINTS,
    DLP_SECTION_CONTACTS,
    DLP_SECTION_FLUIDS,
    DLP_SECTION_COMPANIONS,
    DLP_SECTION_EMITTERS,
    DLP_SECTION_SINKS,
    DLP_SECTION_PROBES,
    DLP_SECTION_CAMERAS,
    DLP_SECTION_COUNT,
} dlp__SectionId;

struct dlp_Scene {
    dlp_WorldDef world;
    dlp_RunDef run;
    void *method;                    /* as dlp_method_params(method_name) describes it  */
    char method_name[DLP_NAME_SIZE]; /* the method that `method` belongs to             */
    char *material_params; /* one struct per material, as dlp_method_material_params(method_name) describes them */
    dlp__SceneList lists[DLP_SECTION_COUNT]; /* materials (sorted by name), solids, ..., sinks  */
    dlp__ScenePoints *points;                /* one for each fluid                              */
    dlp__SceneKeys *keys[DLP_SECTION_COUNT]; /* one for each solid and emitter                  */
    dlp__SceneRows *rows[DLP_SECTION_COUNT]; /* one for each material and emitter               */
    dlp__SceneLocation locations[DLP_SECTION_COUNT];
    dlp__SceneSource *sources;
    int source_count;
    char notes[1024]; /* lines; see dlp_scene_notes() */
};

/* A key that documents an item and has no effect on a run. */
typedef struct dlp__SceneInfo {
    const char *key, *help;
    const dlp_Param *param; /* of a value that is not text; null: any text */
} dlp__SceneInfo;

/* Where a definition of a material or mesh comes from; later ones override earlier ones. */
typedef enum dlp__SceneOrigin {
    DLP_FROM_LIBRARY, /* built in: material_library.yaml */
    DLP_FROM_INCLUDE,
    DLP_FROM_SCENE,
    DLP_FROM_SETTING,
} dlp__SceneOrigin;

/* Syntax of a section. */
typedef enum dlp__SectionForm {
    DLP_FORM_INCLUDE, /* a path or a list of paths      */
    DLP_FORM_MAP,     /* key: value                     */
    DLP_FORM_METHOD,  /* a name, or a map with a `name` */
    DLP_FORM_NAMED,   /* name: {key: value}             */
    DLP_FORM_LIST,    /* a list of {key: value}, or name: {key: value} */
} dlp__SectionForm;

typedef struct dlp__SceneSection {
    const char *key;
    dlp__SectionForm form;
    const dlp_ParamTable *(*table)(void);       /* null for include and method                             */
    const char *hidden;                         /* a parameter that is not a key of this section, or null  */
    const char *extra, *extra_help;             /* a key that is not a parameter, or null                   */
    const dlp_ParamTable *(*extra_table)(void); /* of the items under that key; null if they are not maps */
    const char *extra_when;                     /* as dlp_Param.when                                       */
    const char *rows,
        *rows_help; /* a key with a list of rows, each with the values of `rows_table` in order; or null */
    const dlp_ParamTable *(*rows_table)(void);
    int rows_use;               /* as dlp_Param.use */
    const char *rows_example;   /* of one row, with an explanation */
    const dlp__SceneInfo *info; /* keys that document an item, up to one without a key; or null */
    const char *help;
} dlp__SceneSection;

const dlp__SceneSection *dlp__scene_section(dlp__SectionId id);

/* True if the parameter is a key of this section. */
bool dlp__scene_has_param(const dlp__SceneSection *section, const dlp_Param *param);

/* One value of a parsed text. A child of a map has a key. A node has either text or children. */
typedef enum dlp__NodeKind { DLP_NODE_SCALAR, DLP_NODE_LIST, DLP_NODE_MAP } dlp__NodeKind;

typedef struct dlp__SceneNode {
    struct dlp__SceneNode *next;         /* sibling                              */
    struct dlp__SceneNode *first, *last; /* children                            */
    struct dlp__SceneNode *key;
    const char *text; /* of a scalar, without quotes          */
    dlp__SceneLocation location;
    int32_t count; /* children                             */
    uint8_t kind;  /* dlp__NodeKind                        */
    bool quoted;
    bool open; /* still being parsed */
} dlp__SceneNode;

/* State while a scene is read. Nodes are allocated in blocks that are released together. */
typedef struct dlp__SceneReader {
    dlp_Scene *scene;
    dlp_Error *error; /* never null */
    bool from_file;   /* includes are allowed */
    const dlp_SceneOptions *options;
    uint8_t *material_marks;  /* scene_used_materials.c; one per material */
    double *equivalent_rates; /* 1/s, the same */
    struct dlp__NodeBlock *blocks;
    int64_t node_count;
} dlp__SceneReader;

/* scene_tree.c */
dlp_Result dlp__scene_parse_text(dlp__SceneReader *reader, int source, size_t begin, dlp__SceneNode **root);
void *dlp__scene_allocate(dlp__SceneReader *reader, size_t size);
dlp__SceneNode *dlp__scene_new_node(dlp__SceneReader *reader, dlp__NodeKind kind, dlp__SceneLocation location);
void dlp__scene_append(dlp__SceneNode *parent, dlp__SceneNode *key, dlp__SceneNode *child);
dlp__SceneNode *dlp__scene_child(const dlp__SceneNode *map, const char *key);
bool dlp__scene_is_null(const dlp__SceneNode *node);
void dlp__scene_release_nodes(dlp__SceneReader *reader);

/* scene_source.c: the index of the new source, or -1 with the error filled */
int dlp__scene_add_source(dlp__SceneReader *reader, const char *name, const char *text, size_t length);
int dlp__scene_open_source(dlp__SceneReader *reader, const char *path, const dlp__SceneLocation *from);

/* scene_utf8.c: the offset of the first byte that is not allowed, or `length` if there is none */
size_t dlp__scene_utf8_check(const char *text, size_t length, const char **problem);

/* scene_message.c */
dlp_Result dlp__scene_fail(dlp__SceneReader *reader, dlp__SceneLocation location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
dlp_Result dlp__scene_fail_memory(dlp__SceneReader *reader);
/* "scene.yaml:12:5" or "setting 'run.frames=x'" */
void dlp__scene_describe_location(const dlp_Scene *scene, dlp__SceneLocation location, char *text, size_t size);

/* scene_include.c: the trees of all included files; later ones override earlier ones */
typedef struct dlp__SceneLayers {
    dlp__SceneNode *library; /* the lowest layer, below all includes */
    dlp__SceneNode *roots[64];
    int count;
} dlp__SceneLayers;
dlp_Result dlp__scene_read_includes(dlp__SceneReader *reader, int source, const dlp__SceneNode *root,
                                    dlp__SceneLayers *layers);

/* scene_settings.c: change `root`; settings of materials go to `materials` instead */
dlp_Result dlp__scene_apply_setting(dlp__SceneReader *reader, const char *setting, dlp__SceneNode *root,
                                    dlp__SceneNode *materials);

/* scene_names.c: names of list items */
enum { DLP_SCENE_ITEM_BYTES = 32 + DLP_NAME_SIZE };
/* "solids.plate", or "solids[1]" if it has no name: as given in the file, or as read. */
void dlp__scene_describe_node(dlp__SectionId id, const dlp__SceneNode *item, int index,
                              char text[DLP_SCENE_ITEM_BYTES]);
void dlp__scene_describe_item(const dlp_Scene *scene, dlp__SectionId id, int index, char text[DLP_SCENE_ITEM_BYTES]);
const char *dlp__scene_item_name(const dlp_Scene *scene, dlp__SectionId id, int index); /* "" if it has none */
/* A name can be part of the path of a setting. */
dlp_Result dlp__scene_check_name(dlp__SceneReader *reader, const dlp_ParamTable *table, const dlp__SceneNode *name);
/* The names in a list are valid and different. */
dlp_Result dlp__scene_check_names(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *list);
/* Sections that are lists may be written as maps from names to items: make them lists. */
dlp_Result dlp__scene_convert_named_lists(dlp__SceneReader *reader, const dlp__SceneNode *root);
/* The item of a list by its name or its index from 0; null with the error filled if there is none. */
dlp__SceneNode *dlp__scene_find_item(dlp__SceneReader *reader, const dlp__SceneNode *list, const dlp__SceneNode *part);

/* scene_value.c */
dlp_Result dlp__scene_read_value(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                                 void *member);
dlp_Result dlp__scene_read_map(dlp__SceneReader *reader, const dlp__SceneSection *section, const dlp_ParamTable *table,
                               const dlp__SceneNode *map, const char *where, void *def);
/* The same for a map whose keys come from several tables. Keys of a record without a def are skipped. */
typedef struct dlp__SceneRecord {
    const dlp_ParamTable *table;
    void *def;
} dlp__SceneRecord;
dlp_Result dlp__scene_read_records(dlp__SceneReader *reader, const dlp__SceneSection *section,
                                   const dlp__SceneRecord *records, int count, const dlp__SceneNode *map,
                                   const char *where);
dlp_Result dlp__scene_read_points(dlp__SceneReader *reader, const dlp__SceneNode *node, dlp__ScenePoints *points);
const char *dlp__scene_kind_name(const dlp__SceneNode *node);

/* scene_keys.c: whether items of a section may have keys; allocate them for `count` items; read those of one item */
bool dlp__scene_has_keys(dlp__SectionId id);
dlp_Result dlp__scene_reserve_keys(dlp__SceneReader *reader, dlp__SectionId id, int count);
dlp_Result dlp__scene_read_keys(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *item, int index);

/* scene_rows.c: the same for rows, in sections that have them */
dlp_Result dlp__scene_reserve_rows(dlp__SceneReader *reader, dlp__SectionId id, int count);
dlp_Result dlp__scene_read_rows(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *item, int index);
/* A value of type DLP_PARAM_ROWS; one of its columns as a parameter. */
dlp_Result dlp__scene_read_row_param(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                                     void *member);
dlp_Param dlp__scene_row_column(const dlp_ParamRows *rows, int column);
void dlp__scene_release_rows(dlp_Scene *scene, dlp__SectionId id);

/* scene_materials.c: memory for the method's parameters of `count` materials, and what a file says of one. An included file may hold
 * keys of other methods; elsewhere they are refused. */
dlp_Result dlp__scene_reserve_material_params(dlp__SceneReader *reader, int count);
dlp_Result dlp__scene_read_material(dlp__SceneReader *reader, const dlp__SceneNode *node, const char *where, int index,
                                    bool included);

/* scene_library.c: the tree of the built-in materials */
dlp_Result dlp__scene_read_library(dlp__SceneReader *reader, dlp__SceneNode **root);

/* scene_info.c: the key with that name among those that document an item of a section, or null; check a value */
extern const dlp__SceneInfo dlp__scene_material_info[];
const dlp__SceneInfo *dlp__scene_find_info(const dlp__SceneSection *section, const char *key);
dlp_Result dlp__scene_check_info(dlp__SceneReader *reader, const dlp__SceneInfo *info, const dlp__SceneNode *node);

/* scene_used_materials.c: memory for the marks of `count` materials; record and complete a definition that has just been read; and,
 * once all sections have been read, remove unused materials, number the rest, and leave out heat that nothing asks for. */
dlp_Result dlp__scene_reserve_marks(dlp__SceneReader *reader, int count);
void dlp__scene_mark_material(dlp__SceneReader *reader, const dlp__SceneNode *node, int index, dlp__SceneOrigin origin);
bool dlp__scene_is_built_in(const dlp__SceneReader *reader, int material);
dlp_Result dlp__scene_select_materials(dlp__SceneReader *reader);

/* scene_sections_read.c */
dlp_Result dlp__scene_read_sections(dlp__SceneReader *reader, const dlp__SceneNode *root,
                                    const dlp__SceneLayers *layers, const dlp__SceneNode *setting_materials);

/* scene_build.c */
dlp_Result dlp__scene_create_model(const dlp_Scene *scene, const dlp_MeshDef *def, dlp_Model **model, dlp_Error *error);

/* scene_former.c: older spellings. Add a line to the notes. */
void dlp__scene_note(dlp__SceneReader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define DLP_SCENE_FORMER_SOLVER "solver" /* a key of method conformation that chose between two methods of today */
/* The method that a section `node` with this method name asks for. */
const char *dlp__scene_present_method(dlp__SceneReader *reader, const dlp__SceneNode *node, const char *name);
/* The parameter that was once called `key`, or null. */
const dlp_Param *dlp__scene_renamed_param(dlp__SceneReader *reader, const dlp_ParamTable *table, const char *key);

#endif
