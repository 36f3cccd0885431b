/* forge_frames GOOD FOLDER EVERY: writes copies of a frame into the folder, each with one array or attribute replaced and a valid
 * checksum: missing, all bits set (NaN, -1), zero, or huge. Every EVERY-th of them; prints how many. For tests of the command. */
#include "support/io_forge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Forgery { MISSING, ALL_BITS, ZERO, HUGE, FORGERIES } Forgery;

static int64_t chosen, visited; /* index of the element to replace, and of the next one */
static Forgery forgery;

/* The elements as one block of bytes, to be freed. */
static unsigned char *make_bytes(hid_t type, size_t count)
{
    const size_t size = H5Tget_size(type);
    unsigned char *bytes = malloc(size * count + 1);
    memset(bytes, forgery == ALL_BITS ? 0xff : 0, size * count);
    for (size_t i = 0; forgery == HUGE && i < count; i++) {
        const float single_value = 1e30f;
        const double double_value = 1e300;
        const bool is_float = H5Tget_class(type) == H5T_FLOAT;
        if (is_float && size == sizeof single_value) {
            memcpy(bytes + i * size, &single_value, size);
        } else if (is_float) {
            memcpy(bytes + i * size, &double_value, size);
        } else {
            memset(bytes + i * size, 0x3f, size);
        }
    }
    return bytes;
}

static size_t count_of(hid_t space)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return count > 0 ? (size_t)count : 0;
}

static void forge_dataset(hid_t parent, const char *name)
{
    if (forgery == MISSING) {
        H5Ldelete(parent, name, H5P_DEFAULT);
        return;
    }
    hid_t dataset = H5Dopen2(parent, name, H5P_DEFAULT), type = H5Dget_type(dataset);
    unsigned char *bytes = make_bytes(type, count_of(H5Dget_space(dataset)));
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    free(bytes);
    H5Tclose(type);
    H5Dclose(dataset);
}

static void forge_attribute(hid_t object, const char *name)
{
    if (forgery == MISSING) {
        H5Adelete(object, name);
        return;
    }
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    unsigned char *bytes = make_bytes(type, count_of(H5Aget_space(attribute)));
    H5Awrite(attribute, type, bytes);
    free(bytes);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void visit_attributes(hid_t object)
{
    for (hsize_t i = 0; i < (hsize_t)H5Aget_num_attrs(object); i++) {
        char name[256];
        H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (visited++ == chosen) {
            forge_attribute(object, name);
            return;
        }
    }
}

static void visit_group(hid_t group)
{
    H5G_info_t info;
    visit_attributes(group);
    H5Gget_info(group, &info);
    for (hsize_t i = 0; i < info.nlinks && visited <= chosen; i++) {
        char name[256];
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        hid_t object = H5Oopen(group, name, H5P_DEFAULT);
        const bool is_group = H5Iget_type(object) == H5I_GROUP;
        if (is_group) {
            visit_group(object);
        } else {
            visit_attributes(object);
        }
        H5Oclose(object);
        if (!is_group && visited <= chosen && visited++ == chosen) {
            forge_dataset(group, name);
        }
    }
}

static void forge(hid_t file)
{
    hid_t root = H5Gopen2(file, "/", H5P_DEFAULT);
    visited = 0;
    visit_group(root);
    H5Gclose(root);
}

int main(int argc, char **argv)
{
    const int64_t every = argc == 4 ? strtoll(argv[3], NULL, 10) : 0;
    if (every < 1) {
        return 2;
    }
    IoBytes good = io_read_file(argv[1]);
    int64_t written = 0, total = 0;
    for (chosen = 0;; chosen++) {
        for (int kind = 0; kind < FORGERIES; kind++, total++) {
            char path[512];
            forgery = (Forgery)kind;
            if (total % every != 0) {
                continue;
            }
            snprintf(path, sizeof path, "%s/frame_%06lld.vtkhdf", argv[2], (long long)total);
            io_forge(path, good, DLP_FILE_FRAME, forge);
            if (visited <= chosen) { /* past the last element: an unchanged copy */
                remove(path);
                free(good.data);
                printf("%lld\n", (long long)written);
                return 0;
            }
            written++;
        }
    }
}
