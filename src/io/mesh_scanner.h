/* Scans the bytes of a mesh file word by word and line by line, and reports errors with their position. It never reads
 * past the end, whatever the bytes are. */
#ifndef DLP_IO_MESH_SCANNER_H
#define DLP_IO_MESH_SCANNER_H

#include "geometry/mesh_builder.h"
#include "io/atomic_file.h"

#define DLP_MAX_POLYGON_CORNERS 1000

typedef struct dlp__MeshScanner {
    const char *begin, *next, *end;
    int64_t line;   /* line of `next`, from 1; 0 if the bytes are not text */
    bool continued; /* a backslash at the end of a line continues it on the next line */
    double scale;   /* m per unit of the file */
    bool quotable;  /* messages may quote words of the file */
} dlp__MeshScanner;

typedef struct dlp__Word {
    const char *text;
    size_t length;
} dlp__Word;

/* A reader of one format: adds the content of the file to the model, but does not finish it. Numbers are parsed with
 * the locale of the thread, which must be "C". */
typedef dlp_Result (*dlp__MeshReader)(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error);

dlp_Result dlp__mesh_read_ply(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error);
dlp_Result dlp__mesh_read_obj(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error);
dlp_Result dlp__mesh_read_stl(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error);

dlp__MeshScanner dlp__mesh_scanner(const char *bytes, int64_t size, double scale);
int64_t dlp__scanner_bytes_left(const dlp__MeshScanner *scanner); /* bytes */

/* The next word of this line; false at its end. */
bool dlp__scanner_word(dlp__MeshScanner *scanner, dlp__Word *word);
/* The next word of this or any later line; false at the end of the text. */
bool dlp__scanner_word_any_line(dlp__MeshScanner *scanner, dlp__Word *word);
/* Go to the beginning of the next line; false if there is none. */
bool dlp__scanner_next_line(dlp__MeshScanner *scanner);

/* Whether a word equals `name`, which is lower case; the second function ignores the case of the word. */
bool dlp__word_is(dlp__Word word, const char *name);
bool dlp__word_is_any_case(dlp__Word word, const char *name);

/* The word as a finite number, or as an integer; false if it is not a number or too large. */
bool dlp__word_number(dlp__Word word, double *number);
bool dlp__word_integer(dlp__Word word, int64_t *number);

/* A word for error messages, shortened and without control characters; "..." if the file must not be quoted. */
typedef struct dlp__PrintableWord {
    char text[40];
} dlp__PrintableWord;
dlp__PrintableWord dlp__scanner_printable(const dlp__MeshScanner *scanner, dlp__Word word);

/* Fails with the line, or the byte offset if there are no lines, before the message. */
dlp_Result dlp__scanner_fail(const dlp__MeshScanner *scanner, dlp_Error *error, dlp_Result code, const char *format,
                             ...) __attribute__((format(printf, 4, 5)));

/* Add the next three numbers of the line as a vertex of the model. */
dlp_Result dlp__scanner_read_vertex(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error);
/* Add a vertex given in units of the file. */
dlp_Result dlp__scanner_add_vertex(const dlp__MeshScanner *scanner, dlp_Model *model, const double position[3],
                                   dlp_Error *error);

/* Triangulates a polygon around its first corner as its corners are added. */
typedef struct dlp__Fan {
    int64_t corners, first, last;
} dlp__Fan;
void dlp__fan_add_corner(dlp__Fan *fan, dlp_Model *model, int64_t vertex);

/* Read a file into an empty model, without cleanup. */
dlp_Result dlp__mesh_read_file(dlp_Model *model, const char *folder, const char *name, double scale, dlp_Error *error);

/* A finished model of the first of def->frames files, with the vertices of all files as frames. */
dlp_Result dlp__mesh_read_sequence(dlp_Model *model, const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks,
                                   dlp_Error *error);

/* An open model file, a regular file; the caller closes `descriptor`. */
typedef struct dlp__MeshFile {
    int descriptor;
    int64_t size; /* bytes */
    char path[DLP_PATH_SIZE];
} dlp__MeshFile;
dlp_Result dlp__mesh_open_file(dlp__MeshFile *file, const char *folder, const char *name, dlp_Error *error);

/* The name of file `k` of a sequence that starts with `first`. False if that has no number in its name. */
#define DLP_MESH_NAME_SIZE (DLP_NAME_SIZE + 16)
bool dlp__mesh_frame_name(const char *first, int k, char name[DLP_MESH_NAME_SIZE]);

#endif
