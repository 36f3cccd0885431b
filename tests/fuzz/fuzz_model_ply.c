/* Fuzzing the reader of PLY files with any bytes. */
#include "fuzz/fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_model(dlp__model_read_ply, data, size);
    return 0;
}
