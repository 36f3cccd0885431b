/* Fuzzing the reader of PLY files with arbitrary bytes. */
#include "fuzz/fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_mesh(dlp__mesh_read_ply, data, size);
    return 0;
}
