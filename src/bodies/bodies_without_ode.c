/* Rigid bodies in a build without ODE: creating them fails with a message that names the build option. The functions
 * that take a dlp__Bodies are never reached, because none can be created. */
#include "bodies/bodies.h"

static dlp_Result unsupported(dlp_Error *error)
{
    return dlp__fail(
        error, DLP_ERROR_UNSUPPORTED,
        "this dollop was built without rigid bodies: install ODE in double precision (Debian: libode-dev) and "
        "build it with -DDOLLOP_ODE=ON");
}

dlp_Result dlp__bodies_create(dlp__Memory *memory, dlp__Bodies **bodies, dlp_Error *error)
{
    (void)memory;
    *bodies = NULL;
    return unsupported(error);
}

void dlp__bodies_destroy(dlp__Bodies *bodies)
{
    (void)bodies;
}

dlp_Result dlp__bodies_add(dlp__Bodies *bodies, const dlp__BodyDef *def, int *index, dlp_Error *error)
{
    (void)bodies;
    (void)def;
    (void)index;
    return unsupported(error);
}

dlp_Result dlp__bodies_add_obstacle(dlp__Bodies *bodies, const dlp__BodyForm *form, int *index, dlp_Error *error)
{
    (void)bodies;
    (void)form;
    (void)index;
    return unsupported(error);
}

dlp_Result dlp__bodies_add_joint(dlp__Bodies *bodies, const dlp__JointSpec *spec, dlp_Error *error)
{
    (void)bodies;
    (void)spec;
    return unsupported(error);
}

int dlp__bodies_count(const dlp__Bodies *bodies)
{
    (void)bodies;
    return 0;
}

dlp_Result dlp__bodies_place_obstacle(dlp__Bodies *bodies, int obstacle, dlp_Vec3 position,
                                      const dlp__Rotation *rotation, dlp_Vec3 velocity, dlp_Vec3 spin, dlp_Error *error)
{
    (void)bodies;
    (void)obstacle;
    (void)position;
    (void)rotation;
    (void)velocity;
    (void)spin;
    return unsupported(error);
}

dlp_Result dlp__bodies_step(dlp__Bodies *bodies, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error)
{
    (void)bodies;
    (void)step;
    (void)dt;
    (void)gravity;
    return unsupported(error);
}

void dlp__bodies_apply_impulse(dlp__Bodies *bodies, int body, dlp_Vec3 impulse, dlp_Vec3 angular_impulse)
{
    (void)bodies;
    (void)body;
    (void)impulse;
    (void)angular_impulse;
}

dlp__BodyState dlp__bodies_state(const dlp__Bodies *bodies, int body)
{
    (void)bodies;
    (void)body;
    return (dlp__BodyState){.quaternion = {1, 0, 0, 0}};
}

dlp_Result dlp__bodies_set_state(dlp__Bodies *bodies, int body, const dlp__BodyState *state, dlp_Error *error)
{
    (void)bodies;
    (void)body;
    (void)state;
    return unsupported(error);
}

dlp__BodyMass dlp__bodies_mass(const dlp__Bodies *bodies, int body)
{
    (void)bodies;
    (void)body;
    return (dlp__BodyMass){.mass = 0.0};
}

dlp_Vec3 dlp__bodies_velocity_at(const dlp__Bodies *bodies, int body, dlp_Vec3 point)
{
    (void)bodies;
    (void)body;
    (void)point;
    return dlp__vec3(0, 0, 0);
}
