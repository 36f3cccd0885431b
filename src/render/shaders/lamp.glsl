// The lamp's light at a position: soft shadows from the lamp's size, tinted by the fluid that the light passes through.
uniform sampler2D solid_shadow, fluid_shadow, fluid_through;
uniform mat4 lamp_matrix;
uniform float lamp_size; // m, width of the shadow map

vec3 lamp_light_at(vec3 position, vec3 normal, vec2 pixel)
{
    const int SEARCH = 8, COUNT = 16;
    vec4 in_map = lamp_matrix * vec4(position + normal * lamp_size * 0.004, 1.0);
    vec3 map_position = 0.5 + 0.5 * in_map.xyz;
    if (any(lessThan(map_position.xy, vec2(0.0))) || any(greaterThan(map_position.xy, vec2(1.0)))) {
        return vec3(1.0);
    }
    float rotation = dither(pixel), bias = 0.0012, nearest_sum = 0.0, blockers = 0.0;
    for (int i = 0; i < SEARCH; i++) {
        vec2 tap = map_position.xy + disc_sample(i, SEARCH, rotation) * 0.03;
        float depth = min(textureLod(solid_shadow, tap, 0.0).r, textureLod(fluid_shadow, tap, 0.0).r);
        if (depth < map_position.z - bias) {
            nearest_sum += depth;
            blockers += 1.0;
        }
    }
    if (blockers == 0.0) {
        return vec3(1.0);
    }
    float penumbra = clamp(0.55 * (map_position.z - nearest_sum / blockers), 0.0015, 0.05);
    vec3 light = vec3(0.0);
    for (int i = 0; i < COUNT; i++) {
        vec2 tap = map_position.xy + disc_sample(i, COUNT, rotation) * penumbra;
        float visibility = textureLod(solid_shadow, tap, 0.0).r < map_position.z - bias ? 0.0 : 1.0;
        bool in_fluid = textureLod(fluid_shadow, tap, 0.0).r < map_position.z - bias;
        light += visibility * (in_fluid ? textureLod(fluid_through, tap, 0.0).rgb : vec3(1.0));
    }
    return light / float(COUNT);
}
