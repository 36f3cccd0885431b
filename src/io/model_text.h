/* The bytes of a model file, read word by word and line by line, and the ways to say where in it something is wrong.
 * It never looks beyond the end, whatever the bytes are. */
#ifndef DLP_IO_MODEL_TEXT_H
#define DLP_IO_MODEL_TEXT_H

#include "geometry/model.h"

#define DLP_POLYGON_CORNERS_MOST 1000

typedef struct dlp__ModelText {
    const char *begin, *next, *end;
    int64_t line;   /* that `next` stands in, from 1; 0 where the bytes are no text */
    bool continued; /* a backslash at the end of a line joins the next one to it */
    double scale;   /* m that one unit stands for */
} dlp__ModelText;

typedef struct dlp__Word {
    const char *text;
    size_t length;
} dlp__Word;

/* A reader of one format: puts what the text holds into the model, which is not finished by it. Numbers are read by the
 * locale of the thread, so the caller sees to it that it is "C". */
typedef dlp_Result (*dlp__ModelReader)(dlp__ModelText *text, dlp_Model *model, dlp_Error *error);

dlp_Result dlp__model_read_ply(dlp__ModelText *text, dlp_Model *model, dlp_Error *error);
dlp_Result dlp__model_read_obj(dlp__ModelText *text, dlp_Model *model, dlp_Error *error);
dlp_Result dlp__model_read_stl(dlp__ModelText *text, dlp_Model *model, dlp_Error *error);

dlp__ModelText dlp__model_text(const char *bytes, int64_t size, double scale);
int64_t dlp__text_left(const dlp__ModelText *text); /* bytes */

/* The next word of this line; false at its end. */
bool dlp__text_word(dlp__ModelText *text, dlp__Word *word);
/* The next word of this or any later line; false at the end of the text. */
bool dlp__text_word_anywhere(dlp__ModelText *text, dlp__Word *word);
/* Go to the beginning of the next line; false if there is none. */
bool dlp__text_line(dlp__ModelText *text);

/* Whether a word is this one; `name` is in small letters, and `loosely` takes capitals for them. */
bool dlp__word_is(dlp__Word word, const char *name);
bool dlp__word_is_loosely(dlp__Word word, const char *name);

/* The word as a finite number, or as a whole one; false if it is none or too large to be kept. */
bool dlp__word_number(dlp__Word word, double *number);
bool dlp__word_integer(dlp__Word word, int64_t *number);

/* A word as it can be put into a message, cut short and without odd bytes. */
typedef struct dlp__ShownWord {
    char text[40];
} dlp__ShownWord;
dlp__ShownWord dlp__word_shown(dlp__Word word);

/* Fails with the line, or the byte where there are no lines, before the message. */
dlp_Result dlp__text_fail(const dlp__ModelText *text, dlp_Error *error, dlp_Result code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The next three numbers of the line as a vertex of the model. */
dlp_Result dlp__text_read_vertex(dlp__ModelText *text, dlp_Model *model, dlp_Error *error);
/* A place in the file's units as a vertex of the model. */
dlp_Result dlp__text_add_vertex(const dlp__ModelText *text, dlp_Model *model, const double place[3], dlp_Error *error);

/* A polygon that is cut into triangles about its first corner as its corners come in. */
typedef struct dlp__Fan {
    int64_t corners, first, last;
} dlp__Fan;
void dlp__fan_corner(dlp__Fan *fan, dlp_Model *model, int64_t vertex);

/* All that is in a file, as it is there, into an empty model. */
dlp_Result dlp__model_read_file(dlp_Model *model, const char *folder, const char *name, double scale, dlp_Error *error);

/* A finished model of the first of def->frames files, with the vertices of all of them as frames. */
dlp_Result dlp__model_read_frames(dlp_Model *model, const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks,
                                  dlp_Error *error);

#endif
