/* A film of pictures, through ffmpeg. */
#ifndef DOLLOP_FILM_H
#define DOLLOP_FILM_H

#include "apps/shared/run_folder.h"

typedef struct Film {
    int pipe;     /* to ffmpeg, or -1 */
    long process; /* ffmpeg's */
    FolderPath path;
    char unfinished[sizeof(FolderPath) + 8]; /* where it is until it is whole */
} Film;

/* Begin a film of so many pixels and frames a second. */
void film_begin(Film *film, const FolderPath *path, int64_t width, int64_t height, double frame_rate);
/* Red, green, blue of each pixel; does nothing without a film. */
void film_add(Film *film, const unsigned char *pixels, size_t size);
/* Wait for ffmpeg and put the film into its place, whole or not at all. What went wrong is told on standard error; that there is no
 * ffmpeg is not wrong, for the pictures are there. `made` tells whether there is a film. */
ExitCode film_end(Film *film, bool *made);

#endif
