/* Small worlds with one of everything, files in memory, and counts of open ids and bytes. */
#include "support/io_fixture.h"

#include "io/file_header.h"

#include <fcntl.h>
#include <hdf5.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIME_STEP 0.002 /* s */

static void demand(bool held, const char *what)
{
    if (!held) {
        fprintf(stderr, "io_fixture: %s\n", what);
        abort();
    }
}

/* The stream falls beside the block, at that x. */
static void add_surroundings(dlp_World *world, double x)
{
    dlp_MaterialDef material = dlp_default_material_def();
    snprintf(material.name, sizeof material.name, "honey");
    material.density = 1420.0;
    demand(dlp_world_add_material(world, &material, NULL) == DLP_OK, dlp_world_error(world));
    snprintf(material.name, sizeof material.name, "cr\xc3\xa8me");
    material.density = 1010.0;
    demand(dlp_world_add_material(world, &material, NULL) == DLP_OK, dlp_world_error(world));

    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 0.3;
    solid.amplitude = (dlp_Vec3){0.002, 0, 0.001};
    solid.frequency = 7.0;
    demand(dlp_world_add_solid(world, &solid, NULL) == DLP_OK, dlp_world_error(world));

    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.material = 1;
    emitter.position = (dlp_Vec3){x, 0, 0.1};
    emitter.direction = (dlp_Vec3){0.3, 0.1, -1.0};
    emitter.radius = 0.011;
    emitter.speed = 1.5;
    demand(dlp_world_add_emitter(world, &emitter, NULL) == DLP_OK, dlp_world_error(world));

    dlp_SinkDef sink = dlp_default_sink_def();
    sink.shape.position = (dlp_Vec3){x + 0.01, 0, 0.06}; /* 4 cm down the stream */
    sink.shape.size = (dlp_Vec3){0.06, 0.06, 0.02};
    demand(dlp_world_add_sink(world, &sink, NULL) == DLP_OK, dlp_world_error(world));

    dlp_ContactDef contact = dlp_default_contact_def();
    contact.material = 1;
    contact.friction = 0.8;
    demand(dlp_world_add_contact(world, &contact, NULL) == DLP_OK, dlp_world_error(world));
}

dlp_World *io_block_world(int edge, int steps)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    dlp_Error error;
    def.threads = 2;
    demand(dlp_world_create(&def, &world, &error) == DLP_OK, error.text);
    double size = edge * def.spacing;
    add_surroundings(world, 0.5 * size + 0.1);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){size, size, size};
    fluid.shape.position = (dlp_Vec3){0, 0, 0.5 * size + 0.004};
    fluid.velocity = (dlp_Vec3){0.1, -0.2, 0};
    demand(dlp_world_add_fluid(world, &fluid, NULL) == DLP_OK, dlp_world_error(world));
    for (int i = 0; i < steps; i++) {
        demand(dlp_world_step(world, TIME_STEP) == DLP_OK, dlp_world_error(world));
    }
    demand(dlp_world_particle_count(world) >= (int64_t)edge * edge * edge, "the block has been lost");
    return world;
}

dlp_World *io_small_world(int steps)
{
    return io_block_world(3, steps);
}

IoBytes io_read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    demand(file != NULL, path);
    fseek(file, 0, SEEK_END);
    IoBytes bytes = {NULL, (size_t)ftell(file)};
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    demand(bytes.data != NULL && fread(bytes.data, 1, bytes.size, file) == bytes.size, path);
    fclose(file);
    return bytes;
}

void io_write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    demand(file != NULL, path);
    demand(size == 0 || fwrite(data, 1, size, file) == size, path);
    demand(fclose(file) == 0, path);
}

bool io_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

void io_write_header(const char *path, dlp_FileKind kind)
{
    int descriptor = open(path, O_RDWR);
    demand(descriptor >= 0 && dlp__file_header_write(descriptor, kind, NULL) == 0, path);
    close(descriptor);
}

int64_t io_open_ids(void)
{
    return (int64_t)H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL);
}

int64_t io_heap_bytes(void)
{
    H5garbage_collect();
    return (int64_t)mallinfo2().uordblks;
}
