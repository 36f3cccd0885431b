/* View and projection matrices of the camera and the lamp, and a camera that frames a box. */
#include "render/view.h"

#include <string.h>

/* The rows are the axes of the camera or lamp in world coordinates. */
static void view_matrix(float m[16], dlp_Vec3 eye, dlp_Vec3 right, dlp_Vec3 up, dlp_Vec3 back)
{
    const dlp_Vec3 axis[3] = {right, up, back};
    memset(m, 0, 16 * sizeof *m);
    for (int row = 0; row < 3; row++) {
        m[row] = (float)axis[row].x;
        m[4 + row] = (float)axis[row].y;
        m[8 + row] = (float)axis[row].z;
        m[12 + row] = (float)-dlp__dot(axis[row], eye);
    }
    m[15] = 1.0f;
}

static void multiply(float result[16], const float a[16], const float b[16])
{
    for (int n = 0; n < 16; n++) {
        result[n] = 0.0f;
        for (int k = 0; k < 4; k++) {
            result[n] += a[4 * k + n % 4] * b[n / 4 * 4 + k];
        }
    }
}

dlp__View dlp__view_from_camera(const dlp_CameraDef *camera, double aspect, dlp_Vec3 lower, dlp_Vec3 upper)
{
    dlp__View v = {.eye = camera->position, .aspect = aspect, .tangent = tan(0.5 * camera->angle)};
    const dlp_Vec3 towards = dlp__sub(camera->target, camera->position);
    v.forward = dlp__unit(towards);
    const bool steep = fabs(v.forward.z) > 0.999;
    v.right = dlp__unit(dlp__cross(v.forward, steep ? dlp__vec3(0, 1, 0) : dlp__vec3(0, 0, 1)));
    v.up = dlp__cross(v.right, v.forward);
    v.half_height = dlp__length(towards) * v.tangent;
    view_matrix(v.view, v.eye, v.right, v.up, dlp__scale(v.forward, -1.0));
    const double extent = dlp__length(dlp__sub(upper, lower));
    v.scale = 1.1 * fmax(extent, 1e-9);
    const double distance_to_center = dlp__length(dlp__sub(dlp__scale(dlp__add(lower, upper), 0.5), v.eye));
    const double far = 60.0 * (distance_to_center + extent),
                 near = fmax(0.05 * (distance_to_center - 0.5 * extent), 0.01 * extent + 1e-4 * distance_to_center);
    v.projection[0] = (float)(1.0 / (v.tangent * aspect));
    v.projection[5] = (float)(1.0 / v.tangent);
    v.projection[10] = (float)(-(far + near) / (far - near));
    v.projection[11] = -1.0f;
    v.projection[14] = (float)(-2.0 * far * near / (far - near));
    return v;
}

/* Extend a range by a margin, and limit it to what is in sight. */
static void fit(double range[2], double margin, double center, double sight)
{
    range[0] = fmin(fmax(range[0] - margin, center - sight), center + 0.9 * sight);
    range[1] = fmax(fmin(range[1] + margin, center + sight), range[0] + 0.1 * sight);
}

dlp__Lamp dlp__lamp_from_view(const dlp__View *view, const dlp__Box *casters)
{
    static const double SIGHT = 5.0; /* in half heights of the picture: beyond, the floor fades into the backdrop */
    const dlp_Vec3 level = dlp__unit(dlp__cross(dlp__vec3(0, 0, 1), view->right)); /* forward, made horizontal */
    const dlp_Vec3 to_lamp = dlp__unit(
        dlp__add(dlp__scale(view->right, -0.55), dlp__add(dlp__scale(level, 0.12), dlp__vec3(0, 0, 0.95))));
    const dlp_Vec3 right = dlp__unit(dlp__cross(view->forward, to_lamp)), up = dlp__cross(to_lamp, right);
    const dlp_Vec3 axis[3] = {right, up, to_lamp}, l = casters->lower, u = casters->upper;
    const dlp_Vec3 target = dlp__add(view->eye, dlp__scale(view->forward, view->half_height / view->tangent));
    double range[3][2], center[3], size[3];
    for (int a = 0; a < 3; a++) {
        range[a][0] = fmin(axis[a].x * l.x, axis[a].x * u.x) + fmin(axis[a].y * l.y, axis[a].y * u.y) +
                      fmin(axis[a].z * l.z, axis[a].z * u.z);
        range[a][1] = fmax(axis[a].x * l.x, axis[a].x * u.x) + fmax(axis[a].y * l.y, axis[a].y * u.y) +
                      fmax(axis[a].z * l.z, axis[a].z * u.z);
        fit(range[a], 0.05 * view->scale, dlp__dot(axis[a], target), SIGHT * fmax(view->half_height, 1e-9));
        center[a] = 0.5 * (range[a][0] + range[a][1]);
        size[a] = range[a][1] - range[a][0];
    }
    dlp__Lamp lamp = {.direction = to_lamp, .right = right, .extent = {size[0], size[1], size[2]}};
    const dlp_Vec3 eye = dlp__add(dlp__add(dlp__scale(right, center[0]), dlp__scale(up, center[1])),
                                  dlp__scale(to_lamp, center[2]));
    view_matrix(lamp.view, eye, right, up, to_lamp);
    for (int a = 0; a < 3; a++) {
        lamp.projection[5 * a] = (float)((a < 2 ? 2.0 : -2.0) / size[a]);
    }
    lamp.projection[15] = 1.0f;
    multiply(lamp.view_projection, lamp.projection, lamp.view);
    return lamp;
}

dlp_CameraDef dlp_camera_around(dlp_Vec3 lower, dlp_Vec3 upper, double aspect)
{
    static const double MARGIN = 1.12;
    dlp_CameraDef camera = dlp_default_camera_def();
    camera.angle = 0.48;
    camera.target = dlp__scale(dlp__add(lower, upper), 0.5);
    const dlp_Vec3 back = dlp__unit(dlp__vec3(0.42, -0.85, 0.38)); /* from the target to the camera */
    const dlp_Vec3 right = dlp__unit(dlp__cross(dlp__vec3(0, 0, 1), back)), up = dlp__cross(back, right);
    const double tangent = tan(0.5 * camera.angle);
    double distance = 1e-6;
    for (int corner = 0; corner < 8; corner++) {
        const dlp_Vec3 at = dlp__sub(dlp__vec3((corner & 1) != 0 ? upper.x : lower.x,
                                               (corner & 2) != 0 ? upper.y : lower.y,
                                               (corner & 4) != 0 ? upper.z : lower.z),
                                     camera.target);
        const double extent = fabs(dlp__dot(at, right)) / aspect, high = fabs(dlp__dot(at, up));
        distance = fmax(distance, MARGIN * fmax(extent, high) / tangent + dlp__dot(at, back));
    }
    camera.position = dlp__add(camera.target, dlp__scale(back, distance));
    return camera;
}
