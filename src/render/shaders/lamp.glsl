// The lamp's light at a place: softened at the edges by the lamp's size, coloured by the fluid that it went through.
uniform sampler2D solid_shadow, fluid_shadow, fluid_through;
uniform mat4 lamp_matrix;
uniform float lamp_reach; // m, across the map

vec3 lamp_at(vec3 place, vec3 normal, vec2 pixel)
{
    const int SEARCH = 8, COUNT = 16;
    vec4 in_map = lamp_matrix * vec4(place + normal * lamp_reach * 0.004, 1.0);
    vec3 at = 0.5 + 0.5 * in_map.xyz;
    if (any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0)))) {
        return vec3(1.0);
    }
    float turn = dither(pixel), bias = 0.0012, nearest_sum = 0.0, blockers = 0.0;
    for (int i = 0; i < SEARCH; i++) {
        vec2 tap = at.xy + disc(i, SEARCH, turn) * 0.03;
        float depth = min(textureLod(solid_shadow, tap, 0.0).r, textureLod(fluid_shadow, tap, 0.0).r);
        if (depth < at.z - bias) {
            nearest_sum += depth;
            blockers += 1.0;
        }
    }
    if (blockers == 0.0) {
        return vec3(1.0);
    }
    float wide = clamp(0.55 * (at.z - nearest_sum / blockers), 0.0015, 0.05);
    vec3 light = vec3(0.0);
    for (int i = 0; i < COUNT; i++) {
        vec2 tap = at.xy + disc(i, COUNT, turn) * wide;
        float open = textureLod(solid_shadow, tap, 0.0).r < at.z - bias ? 0.0 : 1.0;
        bool in_fluid = textureLod(fluid_shadow, tap, 0.0).r < at.z - bias;
        light += open * (in_fluid ? textureLod(fluid_through, tap, 0.0).rgb : vec3(1.0));
    }
    return light / float(COUNT);
}
