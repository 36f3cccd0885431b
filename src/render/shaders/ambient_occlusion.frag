// Screen-space ambient occlusion: 1 where a point sees the whole sky, from the distances around it.
uniform sampler2D solid_normal, fluid_normal;
uniform float radius; // m

out vec2 visibility; // and distance

void main()
{
    const int COUNT = 11;
    ivec2 texel = sample_texel(), last = textureSize(solid_distance, 0) - 1;
    float here = scene_distance(texel);
    bool is_fluid = texelFetch(fluid_distance, texel, 0).r > 0.0;
    vec3 n = normalize((is_fluid ? texelFetch(fluid_normal, texel, 0) : texelFetch(solid_normal, texel, 0)).xyz);
    vec3 position = here * sample_ray(texel);
    vec2 spread = vec2(last) * 0.5 * radius / (max(here, 1e-12) * view_slope);
    vec2 direction = first_direction(dither(gl_FragCoord.xy));
    float occlusion = 0.0;
    for (int i = 0; i < COUNT; i++) {
        ivec2 tap = clamp(texel + ivec2(round(disc_radius(i, COUNT) * direction * spread)), ivec2(0), last);
        float there = scene_distance(tap);
        vec3 to = there * sample_ray(tap) - position;
        float size = length(to);
        float high = max(dot(n, to) / max(size, 1e-12) - 0.08, 0.0);
        occlusion += there > 0.0 ? high * clamp(1.0 - size / (1.6 * radius), 0.0, 1.0) : 0.0;
        direction = GOLDEN_TURN * direction;
    }
    visibility = vec2(here > 0.0 ? clamp(1.0 - 2.1 * occlusion / float(COUNT), 0.0, 1.0) : 1.0, here);
}
