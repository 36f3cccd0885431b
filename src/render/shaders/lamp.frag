// The lamp's light at the surface of a pixel: soft shadows from the lamp's size, tinted by the fluid that the light passes
// through. Lengths in metres; the size of the map adapts to the scene.
uniform sampler2D surface_distance, surface_normal; // of the solids or of the fluid
uniform sampler2D solid_shadow, fluid_shadow, fluid_through;
uniform mat4 lamp_matrix;
uniform vec3 lamp_extent; // m, width, height and depth of the shadow map
uniform float lamp_scale; // m, size of the scene, to which blur and tolerances are proportional

out vec4 light; // and distance

vec3 lamp_light_at(vec3 position, vec3 normal)
{
    const int SEARCH = 8, COUNT = 12;
    const float LAMP_TANGENT = 0.37; // of the angle from the lamp's centre to its edge
    vec3 at = 0.5 + 0.5 * (lamp_matrix * vec4(position + normal * lamp_scale * 0.004, 1.0)).xyz;
    float texel = max(lamp_extent.x, lamp_extent.y) / float(textureSize(solid_shadow, 0).x);
    float limit = min(at.z - max(0.0018 * lamp_scale, texel) / lamp_extent.z, 0.99999); // 1: nothing in the way
    float nearest_sum = 0.0, blockers = 0.0;
    vec2 start = first_direction(dither(gl_FragCoord.xy)), direction = start;
    for (int i = 0; i < SEARCH; i++) {
        vec2 tap = at.xy + disc_radius(i, SEARCH) * direction * 0.03 * lamp_scale / lamp_extent.xy;
        float depth = min(textureLod(solid_shadow, tap, 0.0).r, textureLod(fluid_shadow, tap, 0.0).r);
        nearest_sum += depth < limit ? depth : 0.0;
        blockers += depth < limit ? 1.0 : 0.0;
        direction = GOLDEN_TURN * direction;
    }
    float gap = lamp_extent.z * (at.z - nearest_sum / max(blockers, 1.0));
    float penumbra = clamp(LAMP_TANGENT * gap, max(0.0015 * lamp_scale, 1.5 * texel), 0.05 * lamp_scale);
    vec3 sum = vec3(0.0);
    int count = blockers > 0.0 ? COUNT : 0; // a loop ends early on every driver, a branch does not
    direction = start;
    for (int i = 0; i < count; i++) {
        vec2 tap = at.xy + disc_radius(i, COUNT) * direction * penumbra / lamp_extent.xy;
        float visibility = textureLod(solid_shadow, tap, 0.0).r < limit ? 0.0 : 1.0;
        bool in_fluid = textureLod(fluid_shadow, tap, 0.0).r < limit;
        sum += visibility * (in_fluid ? textureLod(fluid_through, tap, 0.0).rgb : vec3(1.0));
        direction = GOLDEN_TURN * direction;
    }
    vec3 shadowed = count > 0 ? sum / float(COUNT) : vec3(1.0);
    vec2 to_edge = smoothstep(0.0, 0.03, 0.5 - abs(at.xy - 0.5)); // a shadow that leaves the map fades
    return mix(vec3(1.0), shadowed, to_edge.x * to_edge.y);
}

void main()
{
    ivec2 texel = sample_texel();
    float distance = texelFetch(surface_distance, texel, 0).r;
    vec3 n = normalize(texelFetch(surface_normal, texel, 0).xyz);
    light = vec4(lamp_light_at(eye + distance * sample_ray(texel), n), distance);
}
