/* Fuzzing the reconstruction of surfaces: arbitrary bytes are parameters and positions. Accepted input must give a
 * closed mesh. */
#include "support/mesh_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEAD = 8, MAX_POINTS = 300 };

static double part(uint8_t byte, double least, double most)
{
    return least + (most - least) * byte / 255.0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float positions[3][MAX_POINTS];
    if (size < HEAD) {
        return 0;
    }
    dlp_SurfaceDef def = dlp_default_surface_def();
    def.field = data[0] % 4;
    def.cell = part(data[1], 0.4, 4.0);
    def.radius = part(data[2], 1.0, 4.0);
    def.smoothing = part(data[3], 0.0, 1.0);
    def.flatness = part(data[4], 1.0, 16.0);
    def.rounds = data[5] % 4;
    def.spacing = pow(10.0, part(data[6], -6.0, 3.0));
    def.threads = 1;
    /* As floats they are arbitrary; as small multiples of the spacing they are close to each other. */
    const bool raw = data[7] % 2 == 0;
    const size_t each = raw ? 3 * sizeof(float) : 3;
    dlp_Points points = {.position = {positions[0], positions[1], positions[2]}};
    for (size_t at = HEAD; at + each <= size && points.count < MAX_POINTS; at += each, points.count++) {
        for (size_t a = 0; a < 3; a++) {
            if (raw) {
                memcpy(&positions[a][points.count], data + at + a * sizeof(float), sizeof(float));
            } else {
                positions[a][points.count] = (float)(def.spacing * 0.1 * (data[at + a] - 128));
            }
        }
    }
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh;
    dlp_Error error = {0};
    if (dlp_surface_create(&def, &surface, &error) == DLP_OK &&
        dlp_surface_build(surface, &points, &mesh, &error) == DLP_OK && !raw) {
        const char *fault = mesh_fault(&mesh);
        if (fault != NULL) {
            fprintf(stderr, "fuzz_surface: %s\n", fault);
            abort();
        }
    }
    dlp_surface_destroy(surface);
    return 0;
}
