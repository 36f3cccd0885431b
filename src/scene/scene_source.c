/* The source texts of a scene: regular files of limited size, memory, and settings. */
#include "base/error.h"
#include "base/printable.h"
#include "scene/scene_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCES_MAX = 10000 }; /* files and settings; the index must fit in 16 bits */

static char *copy_text(const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        if (length > 0) {
            memcpy(copy, text, length);
        }
        copy[length] = 0;
    }
    return copy;
}

static void fail_character(dlp__SceneReader *reader, dlp__SceneLocation location, const char *problem)
{
    const dlp__SceneSource *source = &reader->scene->sources[location.source];
    const char *at = source->text + location.offset;
    uint32_t character = 0;
    if (dlp__utf8_decode(at, source->length - location.offset, &character) == 0) {
        dlp__scene_fail(reader, location, "the byte 0x%02x is %s; save the file as UTF-8 text", (unsigned char)*at,
                        problem);
    } else {
        dlp__scene_fail(reader, location, "U+%04X is %s; remove it", (unsigned)character, problem);
    }
}

/* Takes ownership of `text` and `name`, even on failure. */
static int append_source(dlp__SceneReader *reader, char *name, char *text, size_t length)
{
    dlp_Scene *scene = reader->scene;
    dlp__SceneSource *sources = realloc(scene->sources, (size_t)(scene->source_count + 1) * sizeof *sources);
    if (sources == NULL) {
        free(name);
        free(text);
        dlp__scene_fail_memory(reader);
        return -1;
    }
    scene->sources = sources;
    sources[scene->source_count] = (dlp__SceneSource){name, text, length};
    int index = scene->source_count++;

    const char *problem = NULL;
    size_t bad = dlp__scene_utf8_check(text, length, &problem);
    if (bad == 0 && length >= 3 &&
        memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte order mark is allowed at the start */
        bad = 3 + dlp__scene_utf8_check(text + 3, length - 3, &problem);
    }
    if (bad < length) {
        fail_character(reader, (dlp__SceneLocation){(uint32_t)bad, (uint16_t)index, 1}, problem);
        return -1;
    }
    return index;
}

int dlp__scene_add_source(dlp__SceneReader *reader, const char *name, const char *text, size_t length)
{
    if (length > DLP_SCENE_BYTES_MAX || reader->scene->source_count >= SOURCES_MAX) {
        dlp__fail(reader->error, DLP_ERROR_SCENE, "%s: the scene is too large: at most %u MiB of text and %d settings",
                  name != NULL ? name : "settings", DLP_SCENE_BYTES_MAX >> 20, SOURCES_MAX);
        return -1;
    }
    char *name_copy = name != NULL ? copy_text(name, strlen(name)) : NULL;
    char *text_copy = copy_text(text, length);
    if (text_copy == NULL || (name != NULL && name_copy == NULL)) {
        free(name_copy);
        free(text_copy);
        dlp__scene_fail_memory(reader);
        return -1;
    }
    return append_source(reader, name_copy, text_copy, length);
}

/* A file that cannot be read is reported at the location of its include, if there is one. */
static void fail_file(dlp__SceneReader *reader, const dlp__SceneLocation *from, const char *path, const char *problem)
{
    if (from != NULL) {
        dlp__scene_fail(reader, *from, "cannot include '%s': %s", path, problem);
    } else {
        dlp__fail(reader->error, DLP_ERROR_FILE, "cannot read '%s': %s", path, problem);
    }
}

/* The whole file in memory, or null with `problem` set. */
static char *read_file(int file, size_t *length, const char **problem)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        *problem = strerror(errno);
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        *problem = S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file";
        return NULL;
    }
    if (status.st_size > (off_t)DLP_SCENE_BYTES_MAX) {
        *problem = "it is larger than 64 MiB";
        return NULL;
    }
    size_t size = (size_t)status.st_size;
    char *text = malloc(size + 1);
    if (text == NULL) {
        *problem = NULL; /* out of memory */
        return NULL;
    }
    size_t got = 0;
    while (got < size) {
        ssize_t bytes = read(file, text + got, size - got);
        if (bytes < 0 && errno == EINTR) {
            continue;
        }
        if (bytes < 0) {
            *problem = strerror(errno);
            free(text);
            return NULL;
        }
        if (bytes == 0) {
            break;
        }
        got += (size_t)bytes;
    }
    text[got] = 0;
    *length = got;
    return text;
}

int dlp__scene_open_source(dlp__SceneReader *reader, const char *path, const dlp__SceneLocation *from)
{
    /* Without O_NONBLOCK, opening a pipe without a writer would block forever. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        fail_file(reader, from, path, strerror(errno));
        return -1;
    }
    size_t length = 0;
    const char *problem = "";
    char *text = read_file(file, &length, &problem);
    close(file);
    if (text == NULL && problem == NULL) {
        dlp__scene_fail_memory(reader);
        return -1;
    }
    if (text == NULL) {
        fail_file(reader, from, path, problem);
        return -1;
    }
    char *name = copy_text(path, strlen(path));
    if (name == NULL) {
        free(text);
        dlp__scene_fail_memory(reader);
        return -1;
    }
    return append_source(reader, name, text, length);
}
