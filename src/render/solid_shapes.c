/* Vertex buffers of the unit shapes, and drawing solids and the floor with them. */
#include "render/solid_shapes.h"

#include "base/vector.h"

#include <stdlib.h>

enum { SEGMENTS = 48, RINGS = 24 };

typedef struct Vertex {
    float position[3], normal[3], side;
} Vertex;

typedef struct Builder {
    Vertex *vertex;
    GLuint *index;
    int vertices, indices;
} Builder;

static void add_vertex(Builder *b, dlp_Vec3 p, dlp_Vec3 n, double side)
{
    b->vertex[b->vertices++] = (Vertex){
        {(float)p.x, (float)p.y, (float)p.z}, {(float)n.x, (float)n.y, (float)n.z}, (float)side};
}

/* Two triangles between two rows of vertices, which start at a and c. */
static void add_quad(Builder *b, int a, int c)
{
    const int corner[6] = {a, c, a + 1, a + 1, c, c + 1};
    for (int i = 0; i < 6; i++) {
        b->index[b->indices++] = (GLuint)corner[i];
    }
}

static void add_box(Builder *b)
{
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2;
        const double sign = face % 2 == 0 ? 1.0 : -1.0;
        const int first = b->vertices;
        for (int corner = 0; corner < 4; corner++) {
            double p[3], n[3] = {0.0, 0.0, 0.0};
            p[axis] = n[axis] = sign;
            p[(axis + 1) % 3] = (corner & 1) != 0 ? 1.0 : -1.0;
            p[(axis + 2) % 3] = (corner & 2) != 0 ? 1.0 : -1.0;
            add_vertex(b, dlp__vec3(p[0], p[1], p[2]), dlp__vec3(n[0], n[1], n[2]), p[2]);
        }
        add_quad(b, first, first + 2);
    }
}

/* Rows of vertices around the z axis, given by radius, height, normal and half. A ball has its equator twice, so that a
 * capsule can be drawn by moving the halves apart. */
static void add_rows(Builder *b, const double (*rows)[5], int count)
{
    const int first = b->vertices;
    for (int row = 0; row < count; row++) {
        for (int i = 0; i <= SEGMENTS; i++) {
            const double angle = 2.0 * 3.14159265358979323846 * i / SEGMENTS, c = cos(angle), s = sin(angle);
            add_vertex(b, dlp__vec3(rows[row][0] * c, rows[row][0] * s, rows[row][1]),
                       dlp__vec3(rows[row][2] * c, rows[row][2] * s, rows[row][3]), rows[row][4]);
        }
    }
    for (int row = 0; row + 1 < count; row++) {
        for (int i = 0; i < SEGMENTS; i++) {
            add_quad(b, first + row * (SEGMENTS + 1) + i, first + (row + 1) * (SEGMENTS + 1) + i);
        }
    }
}

static void add_ball(Builder *b)
{
    double rows[RINGS + 2][5];
    for (int row = 0; row < RINGS + 2; row++) {
        const int step = row <= RINGS / 2 ? row : row - 1;
        const double angle = 3.14159265358979323846 * step / RINGS, side = row <= RINGS / 2 ? 1.0 : -1.0;
        rows[row][0] = rows[row][2] = sin(angle);
        rows[row][1] = rows[row][3] = cos(angle);
        rows[row][4] = side;
    }
    add_rows(b, (const double(*)[5])rows, RINGS + 2);
}

static void add_tube(Builder *b)
{
    static const double rows[6][5] = {{0, 1, 0, 1, 1},   {1, 1, 0, 1, 1},    {1, 1, 1, 0, 1},
                                      {1, -1, 1, 0, -1}, {1, -1, 0, -1, -1}, {0, -1, 0, -1, -1}};
    add_rows(b, rows, 6);
}

dlp_Result dlp__solid_shapes_create(dlp__SolidShapes *shapes, dlp_Error *error)
{
    enum { VERTICES = 24 + (RINGS + 8) * (SEGMENTS + 1), INDICES = 36 + (RINGS + 6) * SEGMENTS * 6 };
    *shapes = (dlp__SolidShapes){0};
    Builder b = {malloc(VERTICES * sizeof *b.vertex), malloc(INDICES * sizeof *b.index), 0, 0};
    if (b.vertex == NULL || b.index == NULL) {
        free(b.vertex);
        free(b.index);
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the shapes of solids");
    }
    add_box(&b);
    shapes->box.count = shapes->ball.first = b.indices;
    add_ball(&b);
    shapes->ball.count = b.indices - shapes->ball.first;
    shapes->tube.first = b.indices;
    add_tube(&b);
    shapes->tube.count = b.indices - shapes->tube.first;
    glGenVertexArrays(1, &shapes->array);
    glGenBuffers(1, &shapes->vertices);
    glGenBuffers(1, &shapes->indices);
    glBindVertexArray(shapes->array);
    glBindBuffer(GL_ARRAY_BUFFER, shapes->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)b.vertices * (GLsizeiptr)sizeof *b.vertex, b.vertex, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, shapes->indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)b.indices * (GLsizeiptr)sizeof *b.index, b.index, GL_STATIC_DRAW);
    static const size_t offsets[3] = {offsetof(Vertex, position), offsetof(Vertex, normal), offsetof(Vertex, side)};
    for (GLuint i = 0; i < 3; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, i < 2 ? 3 : 1, GL_FLOAT, GL_FALSE, sizeof(Vertex), (const void *)offsets[i]);
    }
    free(b.vertex);
    free(b.index);
    return DLP_OK;
}

void dlp__solid_shapes_destroy(dlp__SolidShapes *shapes)
{
    glDeleteVertexArrays(1, &shapes->array);
    glDeleteBuffers(1, &shapes->vertices);
    glDeleteBuffers(1, &shapes->indices);
    dlp__solid_meshes_destroy(&shapes->meshes);
}

static void draw_range(int first, int count)
{
    glDrawElements(GL_TRIANGLES, count, GL_UNSIGNED_INT, (const void *)((size_t)first * sizeof(GLuint)));
}

static void set_model(GLuint program, const dlp__Rotation *r, dlp_Vec3 p)
{
    const float m[16] = {(float)r->x.x, (float)r->x.y, (float)r->x.z, 0.0f,          (float)r->y.x, (float)r->y.y,
                         (float)r->y.z, 0.0f,          (float)r->z.x, (float)r->z.y, (float)r->z.z, 0.0f,
                         (float)p.x,    (float)p.y,    (float)p.z,    1.0f};
    dlp__gl_set_matrix(program, "model", m);
}

static void set_shape(GLuint program, dlp_Vec3 scale, double half_offset)
{
    dlp__gl_set_vec3(program, "scale", scale);
    dlp__gl_set1f(program, "half_offset", half_offset);
}

/* The twelve edges of a container as thin bars, so that its contents are visible. */
static void draw_edges(const dlp__SolidShapes *shapes, GLuint program, const dlp_ShapeDef *def,
                       const dlp__Rotation *rotation)
{
    const double half[3] = {0.5 * def->size.x, 0.5 * def->size.y, 0.5 * def->size.z};
    const double thickness = 0.004 * (half[0] + half[1] + half[2]);
    for (int edge = 0; edge < 12; edge++) {
        const int axis = edge / 4, first_axis = (axis + 1) % 3, second_axis = (axis + 2) % 3;
        double center[3], size[3] = {thickness, thickness, thickness};
        center[axis] = 0.0;
        center[first_axis] = ((edge & 1) != 0 ? 1.0 : -1.0) * (half[first_axis] + thickness);
        center[second_axis] = ((edge & 2) != 0 ? 1.0 : -1.0) * (half[second_axis] + thickness);
        size[axis] = half[axis] + 2.0 * thickness;
        set_model(program, rotation,
                  dlp__add(def->position, dlp__rotate(rotation, dlp__vec3(center[0], center[1], center[2]))));
        set_shape(program, dlp__vec3(size[0], size[1], size[2]), 0.0);
        draw_range(shapes->box.first, shapes->box.count);
    }
}

bool dlp__plane_is_level(const dlp_ShapeDef *shape)
{
    const dlp__Rotation rotation = dlp__rotation(shape->rotation);
    return shape->kind == DLP_SHAPE_PLANE && rotation.z.z > 0.9999;
}

static void draw_shape(const dlp__SolidShapes *shapes, GLuint program, const dlp_ShapeDef *def, double plane_half)
{
    const dlp__Rotation rotation = dlp__rotation(def->rotation);
    const double r = def->radius, half = 0.5 * def->length;
    set_model(program, &rotation, def->position);
    switch ((dlp_ShapeKind)def->kind) {
    case DLP_SHAPE_PLANE:
        if (!dlp__plane_is_level(def)) {
            set_model(program, &rotation, dlp__sub(def->position, dlp__scale(rotation.z, 0.01 * plane_half)));
            set_shape(program, dlp__vec3(plane_half, plane_half, 0.01 * plane_half), 0.0);
            draw_range(shapes->box.first, shapes->box.count);
        }
        break;
    case DLP_SHAPE_BOX:
        set_shape(program, dlp__scale(def->size, 0.5), 0.0);
        draw_range(shapes->box.first, shapes->box.count);
        break;
    case DLP_SHAPE_CONTAINER: draw_edges(shapes, program, def, &rotation); break;
    case DLP_SHAPE_SPHERE:
    case DLP_SHAPE_CAPSULE:
        set_shape(program, dlp__vec3(r, r, r), def->kind == DLP_SHAPE_CAPSULE ? half : 0.0);
        draw_range(shapes->ball.first, shapes->ball.count);
        break;
    case DLP_SHAPE_MESH:
        set_shape(program, dlp__vec3(1.0, 1.0, 1.0), 0.0);
        dlp__solid_mesh_draw(&shapes->meshes, def->mesh);
        glBindVertexArray(shapes->array);
        break;
    case DLP_SHAPE_CYLINDER:
        set_shape(program, dlp__vec3(r, r, half), 0.0);
        draw_range(shapes->tube.first, shapes->tube.count);
        break;
    }
}

void dlp__solids_draw(const dlp__SolidShapes *shapes, GLuint program, const dlp_SolidDef *solids, int count,
                      double plane_half)
{
    glBindVertexArray(shapes->array);
    for (int i = 0; i < count; i++) {
        if (solids[i].visible) {
            dlp__gl_set1f(program, "kind", 2 + i % 1024); /* exact as a 16-bit float */
            dlp__gl_set_vec3(program, "color", solids[i].color);
            draw_shape(shapes, program, &solids[i].shape, plane_half);
        }
    }
}

void dlp__floor_draw(const dlp__SolidShapes *shapes, GLuint program, dlp_Vec3 center, double half, dlp_Vec3 color)
{
    const dlp__Rotation none = dlp__rotation(dlp__vec3(0, 0, 0));
    const double thickness = 1e-4 * half;
    glBindVertexArray(shapes->array);
    dlp__gl_set1f(program, "kind", 0.0);
    dlp__gl_set_vec3(program, "color", color);
    set_model(program, &none, dlp__add(center, dlp__vec3(0, 0, -thickness)));
    set_shape(program, dlp__vec3(half, half, thickness), 0.0);
    draw_range(shapes->box.first, shapes->box.count);
}
