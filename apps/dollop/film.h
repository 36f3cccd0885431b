/* A film of pictures, through ffmpeg. */
#ifndef DOLLOP_FILM_H
#define DOLLOP_FILM_H

#include "run_folder.h"

typedef struct Film {
    int pipe;     /* to ffmpeg, or -1 */
    long process; /* ffmpeg's */
    FolderPath path;
} Film;

/* Begin a film of so many pixels and frames a second. False, with a note on standard error, if there is no ffmpeg: the pictures are
 * still there. */
bool film_begin(Film *film, const FolderPath *path, int64_t width, int64_t height, double frame_rate);
/* Red, green, blue of each pixel; does nothing without a film. */
void film_add(Film *film, const unsigned char *pixels, size_t size);
/* Wait for ffmpeg. False if it failed or there was no film. */
bool film_end(Film *film);

#endif
