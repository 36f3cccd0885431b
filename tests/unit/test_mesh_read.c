/* Mesh files: valid files of every format give the same tetrahedron, invalid ones are rejected quickly with position
 * and fault. */
#include "geometry/mesh_builder.h"
#include "io/byte_order.h"
#include "support/io_fixture.h"
#include "support/mesh_checks.h"
#include "support/scale.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <cmocka.h>

static dlp_MeshDef file_def(const char *file)
{
    dlp_MeshDef def = dlp_default_mesh_def();
    snprintf(def.file, sizeof def.file, "%s", file);
    return def;
}

static dlp_Model *read_model(const char *file, double scale)
{
    dlp_MeshDef def = file_def(file);
    def.scale = scale;
    dlp_Model *model = NULL;
    dlp_Error error = {DLP_OK, ""};
    if (dlp_model_create(&def, NULL, NULL, &model, &error) != DLP_OK) {
        fail_msg("%s: %s", file, error.text);
    }
    return model;
}

static void write_text(const char *path, const char *text)
{
    io_write_file(path, text, strlen(text));
}

/* The corner of a cube with edges of 1: four vertices, four triangles, a volume of 1/6. */
#define CORNER_POSITIONS "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"

static void assert_corner(const char *file, double scale)
{
    dlp_Model *model = read_model(file, scale);
    const dlp_Mesh *mesh = dlp_model_mesh(model);
    const char *fault = mesh_fault(mesh);
    if (fault != NULL || mesh->vertex_count != 4 || mesh->triangle_count != 4) {
        fail_msg("%s: %s, %d vertices, %d triangles", file, fault, (int)mesh->vertex_count, (int)mesh->triangle_count);
    }
    assert_true(fabs(dlp_mesh_volume(mesh) / (scale * scale * scale / 6.0) - 1.0) < 1e-5);
    dlp_model_destroy(model);
}

static const char corner_ply[] =
    "ply\nformat ascii 1.0\ncomment one corner\nelement vertex 4\nproperty float x\nproperty double "
    "y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n" CORNER_POSITIONS
    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

static const char corner_obj[] =
    "# a corner\nmtllib no.mtl\no corner\nv 0 0 0\nv 1 0 0\nv 0 1 0 1.0\nv 0 0 1e0\nvn 0 0 1\ns 1\n"
    "f 1 3 2\nf 1/1 2/2 4/3\nf 1//1 4//1 3//1\nf 2/1/1 3/1/1 4/1/1\n";

#define FACET(a, b, c) "facet normal nan 0 0\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"
static const char corner_stl[] = "solid a corner\n" FACET("0 0 0", "0 1 0", "1 0 0") FACET("0 0 0", "1 0 0", "0 0 1")
    FACET("0 0 0", "0 0 1", "0 1 0") FACET("1 0 0", "0 1 0", "0 0 1") "endsolid a corner\n";

static void every_format_gives_the_same_tetrahedron(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text;
    } cases[] = {
        {"corner.ply", corner_ply},
        {"corner.obj", corner_obj},
        {"corner.stl", corner_stl},
        {"capitals.OBJ", corner_obj},
        {"windows.ply",
         "ply\r\nformat ascii 1.0\r\nelement vertex 4\r\nproperty int x\r\nproperty int y\r\nproperty int z\r\n"
         "element face 4\r\nproperty list uchar int vertex_index\r\nend_header\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n"
         "0 0 1\r\n3 0 2 1\r\n3 0 1 3\r\n3 0 3 2\r\n3 1 2 3\r\n"},
        {"more.ply",
         "ply\nformat ascii 1.0\nobj_info by hand\nelement camera 1\nproperty list int float lens\nelement nothing "
         "99999999999\nelement vertex 4\nproperty uchar red\nproperty float z\nproperty float x\nproperty float y\n"
         "element face 4\nproperty float weight\nproperty list int uint vertex_indices\nproperty list uchar float "
         "texcoord\nelement edge 1\nproperty int a\nend_header\n2 0.1 nan\n9 0 0 0\n9 0 1 0\n9 0 0 1\n9 1 0 0\n"
         "7 3 0 2 1 0\n7 3 0 1 3 2 5 5\n7 3 0 3 2 0\n7 3 1 2 3 0\n17"},
        {"backwards.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1"},
        {"forwards.obj", "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4 # the slope\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"},
        {"continued.obj", "v 0 0 \\\n0\nv 1 0 0\nv 0 \\\r\n 1 0\nv 0 0 1\nf 1 3\\\n 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"},
        {"capitals.stl", "SOLID\n" FACET("0 0 0", "0 1 0", "1 0 0") FACET("0 0 0", "1 0 0", "0 0 1")
                             FACET("0 0 0", "0 0 1", "0 1 0") FACET("1 0 0", "0 1 0", "0 0 1") "ENDSOLID"},
        /* Equal vertices are merged, minus zero is zero, degenerate triangles and unused vertices are dropped. */
        {"unclean.obj",
         "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv -0.0 0 -0\nv 1e0 0 0\nv 9 9 9\nv 2 0 0\nf 1 3 2\nf 5 6 4\nf 1 4 3\n"
         "f 2 3 4\nf 1 2 6\nf 1 2 8\nf 7 7 7\n"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        write_text(cases[n].file, cases[n].text);
        assert_corner(cases[n].file, 1.0);
        assert_corner(cases[n].file, 0.001);
    }
}

static char *put_scalar(char *to, double value, char type, bool big)
{
    char bytes[8];
    int size = 0;
    switch (type) {
    case 'f': size = (int)(dlp__put_float(bytes, (float)value) - bytes); break;
    case 'd': size = (int)(dlp__put_double(bytes, value) - bytes); break;
    default: size = type - '0'; dlp__put_bytes(bytes, (uint64_t)value, size);
    }
    for (int i = 0; i < size; i++) {
        *to++ = bytes[big ? size - 1 - i : i];
    }
    return to;
}

/* A binary tetrahedron with coordinates of any type: 1, 2 or 4 bytes, 'f' or 'd'. */
static size_t binary_corner(char *bytes, const char *type, char code, bool big)
{
    static const int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    char *to = bytes +
               sprintf(bytes,
                       "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty %s x\nproperty ushort other\n"
                       "property %s y\nproperty %s z\nelement face 4\nproperty list %s %s vertex_indices\nelement "
                       "tail 2\nproperty double a\nend_header\n",
                       big ? "big" : "little", type, type, type, big ? "uint16" : "int8",
                       code == 'f' ? "double" : "uint");
    for (int v = 0; v < 4; v++) {
        to = put_scalar(to, v == 1, code, big);
        to = put_scalar(to, 7, '2', big);
        to = put_scalar(to, v == 2, code, big);
        to = put_scalar(to, v == 3, code, big);
    }
    for (int f = 0; f < 4; f++) {
        to = put_scalar(to, 3, big ? '2' : '1', big);
        for (int k = 0; k < 3; k++) {
            to = put_scalar(to, corner[f][k], code == 'f' ? 'd' : '4', big);
        }
    }
    for (int n = 0; n < 2; n++) {
        to = put_scalar(to, 1.5, 'd', big);
    }
    return (size_t)(to - bytes);
}

static void binary_ply_is_read_in_any_type_and_byte_order(void **state)
{
    (void)state;
    static const char *const types[] = {"char",   "uchar", "short", "ushort",  "int",    "uint",  "int8",    "uint8",
                                        "uint16", "int32", "float", "float32", "double", "int16", "float64", "uint32"};
    static const char codes[] = "112244112"
                                "4ff"
                                "d2d4";
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++) {
        for (int big = 0; big < 2; big++) {
            char bytes[1024];
            const size_t size = binary_corner(bytes, types[n], codes[n], big == 1);
            io_write_file("binary.ply", bytes, size);
            assert_corner("binary.ply", 2.0);
        }
    }
}

/* Without the terminating zero. */
static void put_text(char *bytes, const char *text)
{
    while (*text != 0) {
        *bytes++ = *text++;
    }
}

static size_t binary_stl(char *bytes, int count, int said)
{
    static const float positions[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    memset(bytes, 0, 80);
    put_text(bytes, "solid but binary");
    char *to = dlp__put_bytes(bytes + 80, (uint64_t)said, 4);
    for (int t = 0; t < count; t++) {
        for (int n = 0; n < 12; n++) {
            to = dlp__put_float(to, n < 3 ? NAN : positions[corner[t % 4][n / 3 - 1]][n % 3]);
        }
        to = dlp__put_bytes(to, 0, 2);
    }
    return (size_t)(to - bytes);
}

static void binary_stl_may_begin_like_a_text(void **state)
{
    (void)state;
    char bytes[512];
    io_write_file("binary.stl", bytes, binary_stl(bytes, 4, 4));
    assert_corner("binary.stl", 1.0);
}

static void polygons_are_triangulated_as_fans(void **state)
{
    (void)state;
    write_text("square.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 2 2\nf 1 2 3 4\n");
    dlp_Model *model = read_model("square.obj", 1.0);
    const dlp_Mesh *mesh = dlp_model_mesh(model);
    assert_int_equal(mesh->triangle_count, 2);
    assert_int_equal(mesh->vertex_count, 4);
    for (int v = 0; v < 4; v++) {
        assert_true(mesh->normal[3 * v] == 0.0f && mesh->normal[3 * v + 1] == 0.0f && mesh->normal[3 * v + 2] == 1.0f);
    }
    dlp_model_destroy(model);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* other tests may run at the same time */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double slowest;

/* Each of `words`, separated by '|', must be in the message, after the name of the file. */
static void assert_refused(const char *file, dlp_Result code, const char *words)
{
    dlp_MeshDef def = file_def(file);
    dlp_Model *model = NULL;
    dlp_Error error = {DLP_OK, ""};
    const double begin = seconds();
    dlp_Result result = dlp_model_create(&def, NULL, NULL, &model, &error);
    const double taken = seconds() - begin;
    char copy[256];
    snprintf(copy, sizeof copy, "%s|%s", file, words);
    for (char *word = strtok(copy, "|"); word != NULL; word = strtok(NULL, "|")) {
        if (strstr(error.text, word) == NULL) {
            fail_msg("%s: expected '%s' in '%s'", file, word, error.text);
        }
    }
    if (result != code || model != NULL || error.code != code || taken > 1.0) {
        fail_msg("%s: result %d after %.2f s: %s", file, (int)result, taken, error.text);
    }
    slowest = fmax(slowest, taken);
}

#define PLY_HEAD(format, vertices, faces) \
    "ply\nformat " format " 1.0\nelement vertex " vertices \
    "\nproperty float x\nproperty float y\nproperty float z\nelement face " faces \
    "\nproperty list int int vertex_indices\nend_header\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"

static const struct {
    const char *file, *text;
    dlp_Result code;
    const char *words;
} broken_texts[] = {
    {"a.ply", "plx\n", DLP_ERROR_FORMAT, "line 1|not a PLY"},
    {"b.ply", "ply\nformat ascii 1.0\nelement vertex 4\n", DLP_ERROR_FORMAT, "end_header"},
    {"c.ply", "ply\nformat ebcdic 1.0\n", DLP_ERROR_FORMAT, "line 2|ebcdic"},
    {"d.ply", "ply\nformat ascii 1.0\nelement vertex -4\n", DLP_ERROR_FORMAT, "line 3|'-4'"},
    {"e.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n", DLP_ERROR_FORMAT, "line 3|number"},
    {"f.ply", "ply\nformat ascii 1.0\nproperty float x\n", DLP_ERROR_FORMAT, "line 3|before the first element"},
    {"g.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\n", DLP_ERROR_FORMAT, "line 4|'quad'"},
    {"h.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n", DLP_ERROR_FORMAT, "line 4|whole"},
    {"i.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n", DLP_ERROR_FORMAT,
     "line 5|twice"},
    {"j.ply", "ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n", DLP_ERROR_FORMAT, "line 4|twice"},
    {"k.ply", "ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "end_header\n0 0 0\n", DLP_ERROR_FORMAT, "line 7|face"},
    {"l.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", DLP_ERROR_FORMAT,
     "x, y and z"},
    {"m.ply", "ply\nformat ascii 1.0\nsurprise\n", DLP_ERROR_FORMAT, "line 3|'surprise'"},
    {"n.ply", PLY_HEAD("ascii", "170000000", "1") CORNER_POSITIONS "3 0 1 2\n", DLP_ERROR_FORMAT, "line 10|170000000"},
    {"o.ply", PLY_HEAD("ascii", "4", "2000000000") CORNER_POSITIONS "3 0 1 2\n", DLP_ERROR_FORMAT,
     "line 13|2000000000"},
    {"p.ply", PLY_HEAD("ascii", "4", "1") CORNER_POSITIONS "3 0 1 4\n", DLP_ERROR_FORMAT, "line 14|face 1|vertex 4"},
    {"q.ply", PLY_HEAD("ascii", "4", "1") CORNER_POSITIONS "3 0 -1 2\n", DLP_ERROR_FORMAT, "line 14|vertex -1"},
    {"r.ply", PLY_HEAD("ascii", "4", "1") CORNER_POSITIONS "3 0 1.5 2\n", DLP_ERROR_FORMAT, "line 14|vertex 1.5"},
    {"s.ply", PLY_HEAD("ascii", "4", "1") CORNER_POSITIONS "1000000 0 1 2\n", DLP_ERROR_FORMAT, "line 14|face 1|1e+06"},
    {"t.ply", PLY_HEAD("ascii", "4", "1") CORNER_POSITIONS "-3 0 1 2\n", DLP_ERROR_FORMAT, "line 14|list of -3"},
    {"u.ply", PLY_HEAD("ascii", "4", "1") "0 0 0\n1 nan 0\n0 1 0\n0 0 1\n3 0 1 2\n", DLP_ERROR_FORMAT, "line 11|'nan'"},
    {"v.ply", PLY_HEAD("ascii", "4", "1") "0 0 0\n1 1e400 0\n0 1 0\n0 0 1\n3 0 1 2\n", DLP_ERROR_FORMAT,
     "line 11|1e400"},
    {"w.ply", PLY_HEAD("ascii", "4", "1") "0 0 0\n1 0 2e9\n0 1 0\n0 0 1\n3 0 1 2\n", DLP_ERROR_NOT_FINITE,
     "line 11|vertex 2"},
    {"x.ply", PLY_HEAD("ascii", "4", "1") CORNER_POSITIONS "3 0 1 ", DLP_ERROR_FORMAT, "line 14|face 1|cut off"},
    {"y.ply", PLY_HEAD("ascii", "4", "2") CORNER_POSITIONS "3 0 1 1\n3 1 2 2\n", DLP_ERROR_FORMAT, "no triangle"},
    {"z.ply", PLY_HEAD("ascii", "3", "1") "0 0 0\n1 0x10 0\n0 1 0\n3 0 1 2\n", DLP_ERROR_FORMAT, "line 11|0x10"},
    {"a.obj", "v 0 0 0\nv 1 0\n", DLP_ERROR_FORMAT, "line 2|2 of its three"},
    {"b.obj", "v 0 0 0\nv 1 0 inf\n", DLP_ERROR_FORMAT, "line 2|'inf'"},
    {"c.obj", "v 0 0 0\nv 1 0 -3e9\n", DLP_ERROR_NOT_FINITE, "line 2|-3e+09 as its z"},
    {"d.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n# end\n", DLP_ERROR_FORMAT, "line 4|vertex 4"},
    {"e.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", DLP_ERROR_FORMAT, "line 4|vertex 0"},
    {"f.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 1 2\n", DLP_ERROR_FORMAT, "line 4|vertex -4"},
    {"g.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", DLP_ERROR_FORMAT, "line 4|2 corners"},
    {"h.obj", "v 0 0 0\nf 1 2 \\\nx\n", DLP_ERROR_FORMAT, "line 3|'x'"},
    {"i.obj", "f 1 2 99999999999999999999999999\n", DLP_ERROR_FORMAT, "line 1|'99999"},
    {"j.obj", "f 1 2 4294967297\nv 0 0 0\n", DLP_ERROR_FORMAT, "line 1|4294967297"},
    {"k.obj", "# nothing\n", DLP_ERROR_FORMAT, "no triangle"},
    {"l.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", DLP_ERROR_FORMAT, "no triangle"},
    {"m.obj", "v 1,5 0 0\n", DLP_ERROR_FORMAT, "line 1|'1,5'"},
    {"n.obj", "v 0 0 \xff\x01\n", DLP_ERROR_FORMAT, "line 1|'?\?'"},
    {"a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n", DLP_ERROR_FORMAT,
     "line 6|endsolid"},
    {"b.stl", "solid x\nfacet normal 0 0 1\nvertex 0 0 0\nendfacet\n", DLP_ERROR_FORMAT, "line 4|1 vertices"},
    {"c.stl", "solid x\nvertex 0 0 0\nfacet\n", DLP_ERROR_FORMAT, "line 3|1 vertices"},
    {"d.stl", "solid x\n" FACET("0 0 0", "1 0 0", "0 1 0"), DLP_ERROR_FORMAT, "endsolid"},
    {"e.stl", "solid x\nfacet\nvertex 0 0 nan\n", DLP_ERROR_FORMAT, "line 3|'nan'"},
    {"f.stl", "solid x\nsurprise\n", DLP_ERROR_FORMAT, "line 2|'surprise'"},
    {"g.stl", "solid x\nendsolid x\n", DLP_ERROR_FORMAT, "no triangle"},
    {"h.stl", "hello", DLP_ERROR_FORMAT, "not an STL|5"},
    {"empty.obj", "", DLP_ERROR_FORMAT, "0 bytes"},
    {"model.dae", "", DLP_ERROR_ARGUMENT, ".ply, .obj or .stl"},
    {".ply", "", DLP_ERROR_ARGUMENT, ".ply, .obj or .stl"},
};

static void broken_text_files_are_rejected_with_the_line(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof broken_texts / sizeof broken_texts[0]; n++) {
        write_text(broken_texts[n].file, broken_texts[n].text);
        assert_refused(broken_texts[n].file, broken_texts[n].code, broken_texts[n].words);
    }
    print_message("the slowest refusal took %.2f ms\n", 1e3 * slowest);
}

static void broken_binary_files_are_rejected_with_the_element(void **state)
{
    (void)state;
    char bytes[1024];
    static const char huge[] = PLY_HEAD("binary_little_endian", "170000000", "1");
    io_write_file("huge.ply", huge, sizeof huge - 1);
    assert_refused("huge.ply", DLP_ERROR_FORMAT, "byte|170000000|'vertex'");

    /* Every truncated part of a good file is rejected. */
    const size_t size = binary_corner(bytes, "float", 'f', true);
    for (size_t part = 1; part < size; part++) {
        io_write_file("part.ply", bytes, part);
        assert_refused("part.ply", DLP_ERROR_FORMAT, "");
    }
    for (int n = 0; n < 3; n++) { /* the y of the first three vertices */
        const size_t behind = 2 * 8 + 4 * (2 + 3 * 8) + 4 * 14;
        char broken[1024];
        memcpy(broken, bytes, size);
        put_scalar(broken + size - behind + 14 * (size_t)n + 6,
                   n == 0   ? (double)NAN
                   : n == 1 ? (double)INFINITY
                            : 2e9,
                   'f', true);
        io_write_file("far.ply", broken, size);
        char words[64];
        snprintf(words, sizeof words, "byte|vertex %d has|as its y", n + 1);
        assert_refused("far.ply", DLP_ERROR_NOT_FINITE, words);
    }

    const size_t stl = binary_stl(bytes, 4, 4);
    for (size_t part = 1; part < stl; part++) {
        io_write_file("part.stl", bytes, part);
        assert_refused("part.stl", DLP_ERROR_FORMAT, "");
    }
    io_write_file("huge.stl", bytes, binary_stl(bytes, 1, -1));
    assert_refused("huge.stl", DLP_ERROR_FORMAT, "");
    binary_stl(bytes, 4, 4);
    dlp__put_float(bytes + 84 + 50 + 12 + 16, NAN);
    io_write_file("nan.stl", bytes, stl);
    assert_refused("nan.stl", DLP_ERROR_NOT_FINITE, "byte 158|vertex 5|as its y");
}

/* Megabytes of the worst case for a careless reader. */
static void large_malicious_files_are_rejected_quickly(void **state)
{
    (void)state;
    static char bytes[8 << 20];
    const size_t size = small_scale() ? sizeof bytes / 8 : sizeof bytes;
    slowest = 0.0;
    memset(bytes, '1', size);
    put_text(bytes, "v 0 0 0\nv ");
    io_write_file("digits.obj", bytes, size);
    assert_refused("digits.obj", DLP_ERROR_FORMAT, "line 2|'1111");
    for (size_t n = 10; n + 1 < size; n += 2) {
        bytes[n] = ' ';
    }
    put_text(bytes, "v 0 0 0\nf ");
    io_write_file("corners.obj", bytes, size);
    assert_refused("corners.obj", DLP_ERROR_FORMAT, "line 2|more than 1000 corners");
    memset(bytes, '\n', size);
    io_write_file("lines.obj", bytes, size);
    assert_refused("lines.obj", DLP_ERROR_FORMAT, "no triangle");
    put_text(bytes, "solid");
    io_write_file("lines.stl", bytes, size);
    assert_refused("lines.stl", DLP_ERROR_FORMAT, "endsolid");
    static const char head[] = PLY_HEAD("binary_big_endian", "3", "1000000000");
    memset(bytes, 0, size);
    memcpy(bytes, head, sizeof head - 1);
    io_write_file("faces.ply", bytes, size);
    assert_refused("faces.ply", DLP_ERROR_FORMAT, "1000000000");
    static const char list[] =
        "ply\nformat binary_little_endian 1.0\nelement x 1\nproperty list uint double y\nelement vertex 3\n" XYZ
        "element face 1\nproperty list uchar int vertex_index\nend_header\n\xff\xff\xff\xff";
    memcpy(bytes, list, sizeof list - 1);
    io_write_file("list.ply", bytes, size);
    assert_refused("list.ply", DLP_ERROR_FORMAT, "x 1|list");
    print_message("the slowest refusal of %d MiB took %.0f ms\n", (int)(size >> 20), 1e3 * slowest);
}

static void paths_that_are_not_regular_files_are_rejected(void **state)
{
    (void)state;
    assert_refused("missing.ply", DLP_ERROR_FILE, "check the name");
    assert_int_equal(mkdir("folder.ply", 0777), 0);
    assert_refused("folder.ply", DLP_ERROR_FILE, "regular");
    assert_int_equal(mkfifo("pipe.obj", 0666), 0);
    assert_refused("pipe.obj", DLP_ERROR_FILE, "regular");
    assert_refused("", DLP_ERROR_ARGUMENT, "mesh.file is empty");
}

static void a_file_is_found_in_its_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir("shapes", 0777), 0);
    write_text("shapes/here.obj", corner_obj);
    dlp_MeshDef def = file_def("here.obj");
    dlp_Model *model = NULL;
    dlp_Error error;
    assert_int_equal(dlp_model_create(&def, "shapes", NULL, &model, &error), DLP_OK);
    dlp_model_destroy(model);
    assert_int_equal(dlp_model_create(&def, NULL, NULL, &model, &error), DLP_ERROR_FILE);
    def.scale = -1.0;
    assert_int_equal(dlp_model_create(&def, "shapes", NULL, &model, &error), DLP_ERROR_ARGUMENT);
    dlp_model_destroy(NULL);
}

static void written_meshes_are_read_back_bit_for_bit(void **state)
{
    (void)state;
    static const char *const files[] = {"back.ply", "back.obj"};
    dlp_MeshDef def = dlp_default_mesh_def();
    def.form = DLP_FORM_TORUS;
    dlp_Model *torus = NULL;
    dlp_Error error;
    assert_int_equal(dlp_model_create(&def, NULL, NULL, &torus, &error), DLP_OK);
    const dlp_Mesh *a = dlp_model_mesh(torus);
    for (int n = 0; n < 2; n++) {
        assert_int_equal(dlp_mesh_write(a, files[n], &error), DLP_OK);
        dlp_Model *model = read_model(files[n], 1.0);
        const dlp_Mesh *b = dlp_model_mesh(model);
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_int_equal(a->triangle_count, b->triangle_count);
        assert_memory_equal(a->position, b->position, 3 * (size_t)a->vertex_count * sizeof(float));
        assert_memory_equal(a->triangle, b->triangle, 3 * (size_t)a->triangle_count * sizeof(uint32_t));
        assert_memory_equal(a->normal, b->normal, 3 * (size_t)a->vertex_count * sizeof(float));
        dlp_model_destroy(model);
    }
    dlp_model_destroy(torus);
}

static void decimal_points_are_read_in_any_locale(void **state)
{
    (void)state;
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL) {
        skip();
    }
    write_text("half.obj", "v 0 0 0\nv 0.5 0 0\nv 0 0.5 0\nf 1 2 3\n");
    dlp_Model *model = read_model("half.obj", 1.0);
    const float x = dlp_model_mesh(model)->position[3];
    setlocale(LC_NUMERIC, "C");
    dlp_model_destroy(model);
    assert_true(x == 0.5f);
}

/* An allocator that counts the blocks in use, and may run out of memory. */
typedef struct LimitedMemory {
    int64_t out, gets, most;
} LimitedMemory;

static void *purse_get(void *user, size_t size, size_t alignment)
{
    LimitedMemory *purse = user;
    if (purse->gets++ >= purse->most) {
        return NULL;
    }
    purse->out++;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void purse_put(void *user, void *memory, size_t size)
{
    (void)size;
    ((LimitedMemory *)user)->out--;
    free(memory);
}

static void running_out_of_memory_anywhere_is_reported(void **state)
{
    (void)state;
    static const char *const files[] = {"corner.ply", "corner.obj", "corner.stl", "binary.ply", "binary.stl"};
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        dlp_MeshDef def = file_def(files[n]);
        dlp_Result result = DLP_ERROR_MEMORY;
        for (int64_t most = 0; result != DLP_OK; most++) {
            LimitedMemory purse = {.most = most};
            dlp_Hooks hooks = {.allocator = {purse_get, purse_put, &purse}};
            dlp_Model *model = NULL;
            dlp_Error error;
            result = dlp_model_create(&def, NULL, &hooks, &model, &error);
            assert_true(result == DLP_OK || result == DLP_ERROR_MEMORY);
            dlp_model_destroy(model);
            assert_int_equal(purse.out, 0);
            assert_true(most < 100);
        }
    }
}

static dlp__MeshTopology topology_of(const char *text)
{
    write_text("topology.obj", text);
    dlp_Model *model = read_model("topology.obj", 1.0);
    dlp__MeshTopology topology;
    assert_true(dlp__mesh_topology(dlp_model_mesh(model), &model->memory, &topology));
    dlp_model_destroy(model);
    return topology;
}

static void assert_topology(dlp__MeshTopology topology, int64_t open, int64_t crowded, int64_t turned, int64_t parts)
{
    assert_int_equal(topology.open_edges, open);
    assert_int_equal(topology.nonmanifold_edges, crowded);
    assert_int_equal(topology.flipped_edges, turned);
    assert_int_equal(topology.components, parts);
}

#define FOUR "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

static void topology_counts_defective_edges(void **state)
{
    (void)state;
    assert_topology(topology_of(corner_obj), 0, 0, 0, 1);
    assert_topology(topology_of(FOUR "f 1 3 2\nf 1 2 4\nf 1 4 3\n"), 3, 0, 0, 1);
    assert_topology(topology_of(FOUR "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 3 2 4\n"), 0, 0, 3, 1);
    assert_topology(topology_of(FOUR "v 1 1 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n"), 6, 1, 0, 1);
    assert_topology(topology_of(FOUR "v 5 0 0\nv 6 0 0\nv 5 1 0\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf 5 6 7\n"), 3, 0,
                    0, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same_tetrahedron),
        cmocka_unit_test(binary_ply_is_read_in_any_type_and_byte_order),
        cmocka_unit_test(binary_stl_may_begin_like_a_text),
        cmocka_unit_test(polygons_are_triangulated_as_fans),
        cmocka_unit_test(broken_text_files_are_rejected_with_the_line),
        cmocka_unit_test(broken_binary_files_are_rejected_with_the_element),
        cmocka_unit_test(large_malicious_files_are_rejected_quickly),
        cmocka_unit_test(paths_that_are_not_regular_files_are_rejected),
        cmocka_unit_test(a_file_is_found_in_its_folder),
        cmocka_unit_test(written_meshes_are_read_back_bit_for_bit),
        cmocka_unit_test(decimal_points_are_read_in_any_locale),
        cmocka_unit_test(running_out_of_memory_anywhere_is_reported),
        cmocka_unit_test(topology_counts_defective_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
