// The distance of the visible surface; 0 if there is none.
uniform sampler2D solid_distance, fluid_distance;

float scene_distance(vec2 uv)
{
    float solid = textureLod(solid_distance, uv, 0.0).r, fluid = textureLod(fluid_distance, uv, 0.0).r;
    return fluid > 0.0 && (solid <= 0.0 || fluid < solid) ? fluid : solid;
}
