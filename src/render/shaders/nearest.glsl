// How far away what is seen at a place of the picture is; 0 for nothing.
uniform sampler2D solid_distance, fluid_distance;

float nearest(vec2 at)
{
    float solid = textureLod(solid_distance, at, 0.0).r, fluid = textureLod(fluid_distance, at, 0.0).r;
    return fluid > 0.0 && (solid <= 0.0 || fluid < solid) ? fluid : solid;
}
