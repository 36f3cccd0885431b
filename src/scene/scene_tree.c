/* Parses text to a tree of nodes with locations, from the events of libfyaml. Rejects YAML features that scenes do not use (tags,
 * several documents), and limits the resources that a hostile text can use: depth, number of nodes, and copies by aliases. */
#include "scene/scene_internal.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH_MAX = 32, /* a scene needs five levels                                  */
    ANCHORS_MAX = 1000,
    COPIES_MAX = 100000,  /* nodes copied by aliases: stops exponential expansion       */
    NODES_MAX = 16000000, /* 64 MiB of points make 8 million                            */
    BLOCK_BYTES = 1 << 16,
    BRACKETS_MAX = 1000,
    LINE_BYTES_MAX = 4 << 20,
};

typedef struct dlp__NodeBlock {
    struct dlp__NodeBlock *next;
    size_t used, size;
    max_align_t data[];
} dlp__NodeBlock;

typedef struct Anchor {
    struct Anchor *next;
    const char *name;
    const dlp__SceneNode *node;
} Anchor;

typedef struct Builder {
    dlp__SceneReader *reader;
    int source;
    size_t begin; /* offset of the text in the source */
    dlp__SceneNode *root;
    dlp__SceneNode *stack[DEPTH_MAX]; /* maps and lists that are open                  */
    dlp__SceneNode *keys[DEPTH_MAX];  /* key of each map that has no value yet         */
    int depth;
    Anchor *anchors;
    int anchor_count;
    int copies;
    int documents;
    dlp__SceneLocation location; /* of the last event with a location */
} Builder;

void *dlp__scene_allocate(dlp__SceneReader *reader, size_t size)
{
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    dlp__NodeBlock *block = reader->blocks;
    if (block == NULL || block->size - block->used < size) {
        size_t capacity = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        block = malloc(sizeof *block + capacity);
        if (block == NULL) {
            return NULL;
        }
        *block = (dlp__NodeBlock){.next = reader->blocks, .used = 0, .size = capacity};
        reader->blocks = block;
    }
    void *memory = (char *)block->data + block->used;
    block->used += size;
    return memory;
}

void dlp__scene_release_nodes(dlp__SceneReader *reader)
{
    while (reader->blocks != NULL) {
        dlp__NodeBlock *next = reader->blocks->next;
        free(reader->blocks);
        reader->blocks = next;
    }
}

dlp__SceneNode *dlp__scene_new_node(dlp__SceneReader *reader, dlp__NodeKind kind, dlp__SceneLocation location)
{
    dlp__SceneNode *node = dlp__scene_allocate(reader, sizeof *node);
    if (node == NULL) {
        dlp__scene_fail_memory(reader);
        return NULL;
    }
    if (++reader->node_count > NODES_MAX) {
        dlp__scene_fail(reader, location, "a scene may have at most %d values", NODES_MAX);
        return NULL;
    }
    *node = (dlp__SceneNode){.kind = (uint8_t)kind, .location = location, .text = ""};
    return node;
}

void dlp__scene_append(dlp__SceneNode *parent, dlp__SceneNode *key, dlp__SceneNode *child)
{
    child->key = key;
    if (parent->last != NULL) {
        parent->last->next = child;
    } else {
        parent->first = child;
    }
    parent->last = child;
    parent->count++;
}

dlp__SceneNode *dlp__scene_child(const dlp__SceneNode *map, const char *key)
{
    for (dlp__SceneNode *child = map->first; child != NULL; child = child->next) {
        if (child->key != NULL && strcmp(child->key->text, key) == 0) {
            return child;
        }
    }
    return NULL;
}

bool dlp__scene_is_null(const dlp__SceneNode *node)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    if (node->kind != DLP_NODE_SCALAR || node->quoted) {
        return false;
    }
    for (size_t i = 0; i < sizeof nulls / sizeof nulls[0]; i++) {
        if (strcmp(node->text, nulls[i]) == 0) {
            return true;
        }
    }
    return false;
}

static const char *copy_text(dlp__SceneReader *reader, const char *text, size_t length)
{
    char *copy = dlp__scene_allocate(reader, length + 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

/* Attach a scalar, or a list or map that was just opened, to the tree. */
static dlp_Result attach_node(Builder *builder, dlp__SceneNode *node)
{
    if (builder->depth == 0) {
        builder->root = node;
        return DLP_OK;
    }
    dlp__SceneNode *parent = builder->stack[builder->depth - 1];
    dlp__SceneNode **key = &builder->keys[builder->depth - 1];
    if (parent->kind == DLP_NODE_LIST) {
        dlp__scene_append(parent, NULL, node);
    } else if (*key == NULL) {
        if (node->kind != DLP_NODE_SCALAR || dlp__scene_is_null(node)) {
            return dlp__scene_fail(builder->reader, node->location, "a key must be a name, not %s",
                                   dlp__scene_kind_name(node));
        }
        *key = node;
    } else {
        dlp__scene_append(parent, *key, node);
        *key = NULL;
    }
    return DLP_OK;
}

static dlp_Result open_node(Builder *builder, dlp__SceneNode *node)
{
    dlp_Result result = attach_node(builder, node);
    if (result != DLP_OK) {
        return result;
    }
    if (builder->depth == DEPTH_MAX) {
        return dlp__scene_fail(builder->reader, node->location, "nested more than %d levels deep", DEPTH_MAX);
    }
    node->open = true;
    builder->keys[builder->depth] = NULL;
    builder->stack[builder->depth++] = node;
    return DLP_OK;
}

static int compare_keys(const void *a, const void *b)
{
    const dlp__SceneNode *first = *(dlp__SceneNode *const *)a;
    const dlp__SceneNode *second = *(dlp__SceneNode *const *)b;
    int order = strcmp(first->text, second->text);
    return order != 0 ? order
                      : (first->location.offset > second->location.offset) -
                            (first->location.offset < second->location.offset);
}

/* Sorted, so that a map with a million keys stays fast. */
static dlp_Result check_duplicate_keys(Builder *builder, const dlp__SceneNode *map)
{
    if (map->count < 2) {
        return DLP_OK;
    }
    const dlp__SceneNode **keys = malloc((size_t)map->count * sizeof(const dlp__SceneNode *));
    if (keys == NULL) {
        return dlp__scene_fail_memory(builder->reader);
    }
    size_t count = 0;
    for (const dlp__SceneNode *child = map->first; child != NULL; child = child->next) {
        keys[count++] = child->key;
    }
    qsort(keys, count, sizeof(const dlp__SceneNode *), compare_keys);
    dlp_Result result = DLP_OK;
    for (size_t i = 1; i < count && result == DLP_OK; i++) {
        if (strcmp(keys[i - 1]->text, keys[i]->text) == 0) {
            char first[128];
            dlp__scene_describe_location(builder->reader->scene, keys[i - 1]->location, first, sizeof first);
            result = dlp__scene_fail(builder->reader, keys[i]->location, "duplicate key '%.64s', first used at %s",
                                     keys[i]->text, first);
        }
    }
    free(keys);
    return result;
}

static dlp_Result close_node(Builder *builder)
{
    dlp__SceneNode *node = builder->depth > 0 ? builder->stack[--builder->depth] : NULL;
    if (node == NULL) {
        return DLP_OK; /* an end without a start: the parser reports the error */
    }
    node->open = false;
    return node->kind == DLP_NODE_MAP ? check_duplicate_keys(builder, node) : DLP_OK;
}

/* The copy keeps the locations of the original, so that messages point to the anchor. */
static dlp__SceneNode *copy_node(Builder *builder, const dlp__SceneNode *node, int depth)
{
    if (++builder->copies > COPIES_MAX || depth > DEPTH_MAX) {
        dlp__scene_fail(builder->reader, builder->location,
                        "aliases expand to too much data: at most %d values and %d levels", COPIES_MAX, DEPTH_MAX);
        return NULL;
    }
    dlp__SceneNode *copy = dlp__scene_new_node(builder->reader, (dlp__NodeKind)node->kind, node->location);
    if (copy == NULL) {
        return NULL;
    }
    copy->text = node->text;
    copy->quoted = node->quoted;
    for (const dlp__SceneNode *child = node->first; child != NULL; child = child->next) {
        dlp__SceneNode *child_copy = copy_node(builder, child, depth + 1);
        if (child_copy == NULL) {
            return NULL;
        }
        dlp__scene_append(copy, child->key, child_copy);
    }
    return copy;
}

static dlp_Result handle_alias(Builder *builder, struct fy_event *event)
{
    builder->location.offset -= builder->location.offset >
                                builder->begin; /* libfyaml reports the position after the star */
    size_t length = 0;
    const char *name = fy_token_get_text(fy_event_get_token(event), &length);
    const Anchor *anchor = builder->anchors;
    while (anchor != NULL && (strlen(anchor->name) != length || memcmp(anchor->name, name, length) != 0)) {
        anchor = anchor->next;
    }
    if (anchor == NULL) {
        return dlp__scene_fail(builder->reader, builder->location, "there is no anchor '&%.*s' for this alias",
                               length > 64 ? 64 : (int)length, name != NULL ? name : "");
    }
    if (anchor->node->open) {
        return dlp__scene_fail(builder->reader, builder->location, "the alias '*%.64s' is inside its own anchor",
                               anchor->name);
    }
    dlp__SceneNode *copy = copy_node(builder, anchor->node, builder->depth);
    return copy != NULL ? attach_node(builder, copy) : builder->reader->error->code;
}

static dlp_Result register_anchor(Builder *builder, struct fy_event *event, const dlp__SceneNode *node)
{
    struct fy_token *token = fy_event_get_anchor_token(event);
    if (token == NULL) {
        return DLP_OK;
    }
    size_t length = 0;
    const char *name = fy_token_get_text(token, &length);
    Anchor *anchor = dlp__scene_allocate(builder->reader, sizeof *anchor);
    const char *copy = name != NULL ? copy_text(builder->reader, name, length) : NULL;
    if (anchor == NULL || copy == NULL) {
        return dlp__scene_fail_memory(builder->reader);
    }
    if (++builder->anchor_count > ANCHORS_MAX) {
        return dlp__scene_fail(builder->reader, builder->location, "a file may have at most %d anchors", ANCHORS_MAX);
    }
    *anchor = (Anchor){builder->anchors, copy, node};
    builder->anchors = anchor;
    return DLP_OK;
}

/* The text between single quotes. fy_token_get_text() of libfyaml 0.7.12 leaks memory on consecutive doubled quotes. */
static dlp_Result read_single_quoted(Builder *builder, struct fy_token *token, dlp__SceneNode *node)
{
    const char *source = builder->reader->scene->sources[builder->source].text + builder->begin;
    size_t begin = fy_token_start_mark(token)->input_pos;
    size_t end = fy_token_end_mark(token)->input_pos;
    char *text = dlp__scene_allocate(builder->reader, end - begin + 1);
    if (text == NULL) {
        return dlp__scene_fail_memory(builder->reader);
    }
    size_t length = 0;
    for (size_t i = begin; i < end; i++) {
        if (source[i] == '\n' || source[i] == '\r') {
            return dlp__scene_fail(builder->reader, node->location, "text in single quotes must end on the same line");
        }
        text[length++] = source[i];
        i += source[i] == '\'' && i + 1 < end;
    }
    text[length] = 0;
    node->text = text;
    return DLP_OK;
}

/* Out of memory, the parser gives an empty scalar. dlp__scene_parse_text() has reset errno. */
static bool lacks_text(size_t length)
{
    return length == 0 && errno == ENOMEM;
}

static dlp_Result read_scalar(Builder *builder, struct fy_event *event, dlp__SceneNode *node)
{
    struct fy_token *token = fy_event_get_token(event);
    if (token == NULL) {
        return lacks_text(0) ? dlp__scene_fail_memory(builder->reader) : DLP_OK; /* empty: null */
    }
    enum fy_scalar_style style = fy_token_scalar_style(token);
    bool in_quotes = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    node->quoted = style != FYSS_PLAIN;
    size_t width = fy_token_end_mark(token)->input_pos - fy_token_start_mark(token)->input_pos;
    if (in_quotes && node->location.offset > builder->begin) {
        node->location.offset--; /* libfyaml reports the position after the quote */
        width += 2;
    }
    node->location.width = (uint16_t)(width < 1000 ? width : 1000);
    if (style == FYSS_SINGLE_QUOTED) {
        return read_single_quoted(builder, token, node);
    }
    size_t length = 0;
    const char *text = fy_token_get_text(token, &length);
    if (text == NULL || lacks_text(length)) {
        return lacks_text(length) ? dlp__scene_fail_memory(builder->reader) : DLP_OK;
    }
    const char *problem = NULL;
    if (dlp__scene_utf8_check(text, length, &problem) < length) {
        return dlp__scene_fail(builder->reader, node->location, "this text contains %s", problem);
    }
    node->text = copy_text(builder->reader, text, length);
    return node->text != NULL ? DLP_OK : dlp__scene_fail_memory(builder->reader);
}

static dlp_Result add_node(Builder *builder, struct fy_event *event, dlp__NodeKind kind)
{
    if (fy_event_get_tag_token(event) != NULL) {
        return dlp__scene_fail(builder->reader, builder->location,
                               "tags such as !!str are not supported in a scene; remove it");
    }
    dlp__SceneNode *node = dlp__scene_new_node(builder->reader, kind, builder->location);
    if (node == NULL) {
        return builder->reader->error->code;
    }
    dlp_Result result = kind == DLP_NODE_SCALAR ? read_scalar(builder, event, node) : DLP_OK;
    if (result == DLP_OK) {
        result = register_anchor(builder, event, node);
    }
    if (result != DLP_OK) {
        return result;
    }
    return kind == DLP_NODE_SCALAR ? attach_node(builder, node) : open_node(builder, node);
}

static dlp_Result handle_event(Builder *builder, struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    if (mark != NULL) {
        builder->location = (dlp__SceneLocation){(uint32_t)(builder->begin + mark->input_pos),
                                                 (uint16_t)builder->source, 1};
    }
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++builder->documents > 1) {
            return dlp__scene_fail(builder->reader, builder->location,
                                   "a scene must be a single document, but a second one begins here");
        }
        return DLP_OK;
    case FYET_SCALAR: return add_node(builder, event, DLP_NODE_SCALAR);
    case FYET_SEQUENCE_START: return add_node(builder, event, DLP_NODE_LIST);
    case FYET_MAPPING_START: return add_node(builder, event, DLP_NODE_MAP);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END: return close_node(builder);
    case FYET_ALIAS: return handle_alias(builder, event);
    default: return DLP_OK;
    }
}

/* The byte offset of a line and column of libfyaml (from 1). */
static size_t find_offset(const dlp__SceneSource *source, size_t begin, int line, int column)
{
    size_t i = begin;
    for (; line > 1 && i < source->length; i++) {
        if (source->text[i] == '\n' || (source->text[i] == '\r' && source->text[i + 1] != '\n')) {
            line--;
        }
    }
    for (; column > 1 && i < source->length; column--) {
        do {
            i++;
        } while (((unsigned char)source->text[i] & 0xc0) == 0x80);
    }
    return i;
}

static dlp_Result fail_syntax(Builder *builder, struct fy_diag *diag)
{
    void *state = NULL;
    const struct fy_diag_error *first = fy_diag_errors_iterate(diag, &state);
    if (first == NULL || first->msg == NULL) {
        return dlp__scene_fail(builder->reader, builder->location, "invalid YAML");
    }
    dlp__SceneLocation location = builder->location;
    if (builder->depth > 0 && strstr(first->msg, "without a closing") != NULL) {
        location = builder->stack[builder->depth - 1]->location; /* more helpful than the end of the file */
    } else if (first->line > 0) {
        const dlp__SceneSource *source = &builder->reader->scene->sources[builder->source];
        location.offset = (uint32_t)find_offset(source, builder->begin, first->line, first->column);
        location.width = 1;
    }
    return dlp__scene_fail(builder->reader, location, "invalid YAML: %s", first->msg);
}

/* The parser buffers all tokens of a line until it knows that the line is not a key, about a hundred bytes per byte of text. So very
 * long lines and deeply nested brackets must be rejected before parsing. Brackets in comments and quotes are counted, too; the
 * limit is high enough for them. */
static dlp_Result check_limits(const Builder *builder)
{
    const dlp__SceneSource *source = &builder->reader->scene->sources[builder->source];
    size_t line = builder->begin;
    int brackets = 0;
    for (size_t i = builder->begin; i < source->length; i++) {
        char c = source->text[i];
        line = c == '\n' || c == '\r' ? i : line;
        brackets += c == '[' || c == '{';
        brackets -= (c == ']' || c == '}') && brackets > 0;
        dlp__SceneLocation location = {(uint32_t)i, (uint16_t)builder->source, 1};
        if (brackets > BRACKETS_MAX) {
            return dlp__scene_fail(builder->reader, location, "more than %d brackets are open here", BRACKETS_MAX);
        }
        if (i - line > LINE_BYTES_MAX) {
            return dlp__scene_fail(builder->reader, location,
                                   "this line is longer than %d MiB; split it into several lines",
                                   LINE_BYTES_MAX >> 20);
        }
    }
    return DLP_OK;
}

static dlp_Result run_parser(Builder *builder, struct fy_parser *parser, struct fy_diag *diag)
{
    const dlp__SceneSource *source = &builder->reader->scene->sources[builder->source];
    if (fy_parser_set_string(parser, source->text + builder->begin, source->length - builder->begin) != 0) {
        return dlp__scene_fail_memory(builder->reader);
    }
    dlp_Result result = check_limits(builder);
    struct fy_event *event;
    while (result == DLP_OK && (event = fy_parser_parse(parser)) != NULL) {
        result = handle_event(builder, event);
        fy_parser_event_free(parser, event);
    }
    if (result == DLP_OK && (fy_parser_get_stream_error(parser) || builder->depth > 0)) {
        result = fail_syntax(builder, diag);
    }
    return result;
}

dlp_Result dlp__scene_parse_text(dlp__SceneReader *reader, int source, size_t begin, dlp__SceneNode **root)
{
    Builder builder = {.reader = reader, .source = source, .begin = begin};
    builder.location = (dlp__SceneLocation){(uint32_t)begin, (uint16_t)source, 0};

    /* Collect messages; otherwise the parser prints them to stderr. */
    struct fy_diag_cfg diag_config;
    fy_diag_cfg_default(&diag_config);
    diag_config.fp = NULL;
    diag_config.level = FYET_ERROR;
    diag_config.colorize = false;
    struct fy_diag *diag = fy_diag_create(&diag_config);
    if (diag == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE |
                 FYPCF_SLOPPY_FLOW_INDENTATION,
        .diag = diag,
    };
    errno = 0;
    struct fy_parser *parser = fy_parser_create(&config);
    dlp_Result result = parser != NULL ? run_parser(&builder, parser, diag) : dlp__scene_fail_memory(reader);
    if (result == DLP_ERROR_SCENE && errno == ENOMEM) { /* which the parser reports like an error in the text */
        result = dlp__scene_fail_memory(reader);
    }
    fy_parser_destroy(parser);
    fy_diag_destroy(diag);
    *root = builder.root;
    return result;
}
