/* PNG files, written by stb_image_write into an atomic file. */
#include "io/atomic_file.h"

#include <dollop/render.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

static void append(void *file, void *bytes, int size)
{
    dlp__atomic_file_append(file, bytes, (size_t)size);
}

dlp_Result dlp_picture_write(const char *path, const unsigned char *pixels, int64_t width, int64_t height,
                             dlp_Error *error)
{
    if (path == NULL || pixels == NULL) {
        return dlp__fail_null(error);
    }
    static const int64_t MAX_SIZE = 16384; /* sizes that do not overflow the ints of the library */
    if (width < 1 || height < 1 || width > MAX_SIZE || height > MAX_SIZE) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a picture has 1 to %d pixels along each side", (int)MAX_SIZE);
    }
    dlp__AtomicFile file;
    dlp_Result result = dlp__atomic_file_create(&file, path, error);
    if (result != DLP_OK) {
        return result;
    }
    stbi_write_force_png_filter = 1; /* differences to the left: smaller and faster than trying all filters per row */
    if (!stbi_write_png_to_func(append, &file, (int)width, (int)height, 3, pixels, (int)(3 * width))) {
        dlp__atomic_file_discard(&file);
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to write '%.512s'", path);
    }
    return dlp__atomic_file_commit(&file, error);
}
