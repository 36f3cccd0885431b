/* Encodes pictures to a film with ffmpeg. */
#ifndef DOLLOP_FILM_H
#define DOLLOP_FILM_H

#include "apps/shared/run_folder.h"

typedef struct Film {
    int pipe;     /* to ffmpeg, or -1 */
    long process; /* id of the ffmpeg process */
    FolderPath path;
    char unfinished[sizeof(FolderPath) + 8]; /* temporary path until it is complete */
    int descriptor;                          /* of the temporary file, locked while the film is made */
} Film;

/* Start a film of the given size in pixels and frames per second. Errors are printed to standard error. */
ExitCode film_begin(Film *film, const FolderPath *path, int64_t width, int64_t height, double frame_rate);
/* Add a picture: red, green, blue of each pixel. Does nothing if there is no film. */
void film_add(Film *film, const unsigned char *pixels, size_t size);
/* Wait for ffmpeg and rename the film to its final path. Errors are printed to standard error; a missing ffmpeg is not an error,
 * because the pictures have been written. `made`: whether there is a film. */
ExitCode film_end(Film *film, bool *made);

#endif
