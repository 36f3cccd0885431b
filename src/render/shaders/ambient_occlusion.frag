// Screen-space ambient occlusion: 1 where a point sees the whole sky, from the distances around it.
uniform sampler2D solid_normal, fluid_normal;
uniform float radius; // m

in vec2 uv;

out float ambient_occlusion;

void main()
{
    const int COUNT = 14;
    float here = scene_distance(uv);
    ambient_occlusion = 1.0;
    if (here <= 0.0) {
        return;
    }
    bool is_fluid = textureLod(fluid_distance, uv, 0.0).r > 0.0;
    vec3 n = normalize((is_fluid ? textureLod(fluid_normal, uv, 0.0) : textureLod(solid_normal, uv, 0.0)).xyz);
    vec3 position = here * view_ray(uv);
    vec2 spread = 0.5 * radius / (here * view_slope);
    float rotation = dither(gl_FragCoord.xy), occlusion = 0.0;
    for (int i = 0; i < COUNT; i++) {
        vec2 sample_uv = uv + disc_sample(i, COUNT, rotation) * spread;
        float there = scene_distance(sample_uv);
        if (there <= 0.0) {
            continue;
        }
        vec3 to = there * view_ray(sample_uv) - position;
        float size = length(to);
        float high = max(dot(n, to) / max(size, 1e-12) - 0.08, 0.0);
        occlusion += high * clamp(1.0 - size / (1.6 * radius), 0.0, 1.0);
    }
    ambient_occlusion = clamp(1.0 - 2.1 * occlusion / float(COUNT), 0.0, 1.0);
}
