/* Fuzzing the reader of checkpoints and frames. The first byte of the input selects the mode:
 *
 *   even  the rest is the file: it must be rejected, or be valid.
 *   odd   the rest is a list of changes, made through HDF5 to the values of a good checkpoint, which then gets a valid
 *         header: the reader sees valid structures with wrong contents. Whatever it accepts must survive a step.
 *
 * Values and not bytes are changed because HDF5 1.10 leaks memory when its own structures are damaged; the checksum
 * keeps such files from it. DOLLOP_FUZZ_RAW=1 changes bytes anyway (with -detect_leaks=0), to test HDF5 itself. */
#include "io/file_header.h"

#include <dollop/dollop.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if __has_include(<hdf5.h>)
#include <hdf5.h>
#else
#include <hdf5/serial/hdf5.h> /* Debian's path of the build without MPI */
#endif

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned char *good; /* a checkpoint with one of everything */
static size_t good_size;
static int descriptor = -1; /* of the tested file */
static char path[64];

static void demand(int held, const char *what)
{
    if (!held) {
        fprintf(stderr, "fuzz_checkpoint: %s\n", what);
        abort();
    }
}

static void fill_file(const void *data, size_t size)
{
    demand(ftruncate(descriptor, 0) == 0, "cannot empty the file");
    demand(size == 0 || pwrite(descriptor, data, size, 0) == (ssize_t)size, "cannot write the file");
}

static void make_good(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    def.threads = 1;
    demand(dlp_world_create(&def, &world, NULL) == DLP_OK, "cannot make a world");
    dlp_MaterialDef material = dlp_default_material_def();
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 0.0;
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    dlp_SinkDef sink = dlp_default_sink_def();
    emitter.radius = 0.01;
    emitter.speed = 1.0;
    emitter.position.z = 0.2;
    sink.shape.position.x = 10.0;
    dlp_world_add_material(world, &material, NULL);
    dlp_world_add_solid(world, &solid, NULL);
    dlp_world_add_emitter(world, &emitter, NULL);
    dlp_world_add_sink(world, &sink, NULL);
    const dlp_ContactDef contact = dlp_default_contact_def();
    dlp_world_add_contact(world, &contact, NULL);
    float points[27 * 3];
    for (int i = 0; i < 27; i++) {
        points[3 * i] = 0.01f * (float)(i % 3);
        points[3 * i + 1] = 0.01f * (float)(i / 3 % 3);
        points[3 * i + 2] = 0.01f * (float)(i / 9) + 0.005f;
    }
    dlp_world_add_points(world, 0, points, 27, (dlp_Vec3){0, 0, 0});
    demand(dlp_world_step(world, 0.001) == DLP_OK, "cannot step");
    char name[64];
    snprintf(name, sizeof name, "/tmp/fuzz_checkpoint_%d.dollop", (int)getpid());
    demand(dlp_world_save(world, name) == DLP_OK, dlp_world_error(world));
    dlp_world_destroy(world);
    int saved = open(name, O_RDONLY);
    good_size = (size_t)lseek(saved, 0, SEEK_END);
    good = malloc(good_size);
    demand(pread(saved, good, good_size, 0) == (ssize_t)good_size, "cannot read the good file");
    close(saved);
    unlink(name);
}

static void remove_file(void)
{
    unlink(path);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count;
    (void)arguments;
    snprintf(path, sizeof path, "%s/fuzz_checkpoint_%d", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (int)getpid());
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    demand(descriptor >= 0, "cannot make a file");
    atexit(remove_file);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    make_good();
    return 0;
}

/* Changes of values. Each has a group or array, which of its attributes, an operation, and eight bytes of data. */

#define CHANGE_SIZE 11

static const char *const objects[] = {"/",
                                      "/state",
                                      "/world",
                                      "/method",
                                      "/materials/0",
                                      "/solids/0",
                                      "/emitters/0",
                                      "/sinks/0",
                                      "/contacts/0",
                                      "/particles/id",
                                      "/particles/material",
                                      "/particles/position",
                                      "/particles/velocity",
                                      "/particles/density",
                                      "/particles/pressure"};

/* Numbers that readers get wrong. */
static double odd_number(unsigned char choice, const unsigned char bytes[8])
{
    double value;
    memcpy(&value, bytes, sizeof value);
    switch (choice % 8) {
    case 0: return value;
    case 1: return -1.0;
    case 2: return 0.0;
    case 3: return 1e300;
    case 4: return -1e9;
    case 5: return 1e-9;
    case 6: return (double)bytes[0];
    default: return (double)bytes[0] / 256.0;
    }
}

static void change_attribute(hid_t object, const unsigned char *change)
{
    hid_t attribute = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, change[1] % 16, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) {
        return;
    }
    hid_t type = H5Aget_type(attribute);
    unsigned char raw[512] = {0};
    double value = odd_number(change[2], change + 3);
    if (H5Tget_class(type) == H5T_FLOAT) {
        double values[3] = {value, value, value};
        H5Awrite(attribute, H5T_NATIVE_DOUBLE, values);
    } else if (H5Tget_size(type) <= 64) {
        H5Aread(attribute, type, raw);
        for (int i = 0; i < 8; i++) {
            raw[i] = (change[2] & 1) != 0 ? change[3 + i] : raw[i] ^ (unsigned char)(change[3 + i] & change[2]);
        }
        H5Awrite(attribute, type, raw);
    }
    H5Tclose(type);
    H5Aclose(attribute);
}

static void change_array(hid_t dataset, const unsigned char *change)
{
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset), one = H5Screate(H5S_SCALAR);
    hsize_t shape[2] = {1, 1};
    if (H5Sget_simple_extent_dims(space, shape, NULL) > 0 && shape[0] > 0) {
        hsize_t position[2] = {change[1] % shape[0], change[2] % shape[1]};
        unsigned char raw[8];
        memcpy(raw, change + 3, sizeof raw);
        H5Sselect_elements(space, H5S_SELECT_SET, 1, position);
        H5Dwrite(dataset, type, one, space, H5P_DEFAULT, raw);
    }
    H5Sclose(one);
    H5Tclose(type);
    H5Sclose(space);
}

/* Changes of the structure: remove, add and rename links. */
static void change_links(hid_t file, const char *name, const unsigned char *change)
{
    const char *other = objects[1 + change[3] % (sizeof objects / sizeof objects[0] - 1)];
    if (strcmp(name, "/") == 0) {
        return;
    }
    switch (change[2] % 4) {
    case 0: H5Ldelete(file, name, H5P_DEFAULT); break;
    case 1: H5Lmove(file, name, file, "/elsewhere", H5P_DEFAULT, H5P_DEFAULT); break;
    case 2:
        H5Ldelete(file, name, H5P_DEFAULT);
        H5Lcreate_hard(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    default: H5Ldelete(file, name, H5P_DEFAULT); H5Lcreate_soft(other, file, name, H5P_DEFAULT, H5P_DEFAULT);
    }
}

static void apply_changes(const unsigned char *data, size_t size)
{
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    demand(file >= 0, "HDF5 does not open the good file");
    for (; size >= CHANGE_SIZE; size -= CHANGE_SIZE, data += CHANGE_SIZE) {
        const char *name = objects[data[0] % (sizeof objects / sizeof objects[0])];
        if (data[1] >= 0xf0) {
            change_links(file, name, data);
            continue;
        }
        hid_t object = H5Oopen(file, name, H5P_DEFAULT);
        if (object < 0) {
            continue;
        }
        if (H5Iget_type(object) == H5I_DATASET) {
            change_array(object, data);
        } else {
            change_attribute(object, data);
        }
        H5Oclose(object);
    }
    H5Fclose(file);
}

/* Three bytes each: offset (16 bits) and value. */
static void apply_raw_changes(const unsigned char *data, size_t size)
{
    for (; size >= 3; size -= 3, data += 3) {
        size_t position = DLP_FILE_HEADER_SIZE + (data[0] | (size_t)data[1] << 8) % (good_size - DLP_FILE_HEADER_SIZE);
        demand(pwrite(descriptor, data + 2, 1, (off_t)position) == 1, "cannot change a byte");
    }
}

/* Little memory, so that a world with millions of particles fails early; and every byte must be released. */

#define MAX_MEMORY (1 << 20)

static void *allocate(void *user, size_t size, size_t alignment)
{
    size_t *held = user;
    if (size > MAX_MEMORY - *held) {
        return NULL;
    }
    *held += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *user, void *memory, size_t size)
{
    *(size_t *)user -= size;
    free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    if ((data[0] & 1) == 0) {
        fill_file(data + 1, size - 1);
    } else {
        fill_file(good, good_size);
        if (getenv("DOLLOP_FUZZ_RAW") != NULL) {
            apply_raw_changes(data + 1, size - 1);
        } else {
            apply_changes(data + 1, size - 1);
        }
        demand(dlp__file_header_write(descriptor, DLP_FILE_CHECKPOINT, NULL) == 0, "cannot seal");
    }
    dlp_FileInfo info;
    dlp_Error error = {DLP_OK, ""};
    dlp_file_info(path, &info, &error);
    dlp_Frame *frame = NULL;
    dlp_frame_read(path, NULL, &frame, &error);
    dlp_frame_destroy(frame);
    dlp_WorldDef host = dlp_default_world_def();
    dlp_World *world = NULL;
    size_t held = 0;
    host.threads = 1;
    host.hooks.allocator = (dlp_Allocator){allocate, release, &held};
    dlp_Result result = dlp_world_load(path, &host, &world, &error);
    demand((result == DLP_OK) == (world != NULL), "a world without success, or success without a world");
    demand(result == DLP_OK || error.text[0] != 0, "an error without words");
    if (world != NULL && dlp_world_particle_count(world) < 100) {
        dlp_world_hash(world);
        dlp_world_step(world, 1e-6); /* may fail, but only with a message */
    }
    dlp_world_destroy(world);
    demand(held == 0, "memory was not given back");
    demand(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) <= 0, "something was left open in HDF5");
    return 0;
}
