// How open each place is to the sky, from the depths around it.
uniform sampler2D solid_normal, fluid_normal;
uniform float reach; // m

in vec2 uv;

out float openness;

void main()
{
    const int COUNT = 14;
    float here = nearest(uv);
    openness = 1.0;
    if (here <= 0.0) {
        return;
    }
    bool is_fluid = textureLod(fluid_distance, uv, 0.0).r > 0.0;
    vec3 n = normalize((is_fluid ? textureLod(fluid_normal, uv, 0.0) : textureLod(solid_normal, uv, 0.0)).xyz);
    vec3 place = here * ray_of(uv);
    vec2 spread = 0.5 * reach / (here * view_slope);
    float turn = dither(gl_FragCoord.xy), closed = 0.0;
    for (int i = 0; i < COUNT; i++) {
        vec2 at = uv + disc(i, COUNT, turn) * spread;
        float there = nearest(at);
        if (there <= 0.0) {
            continue;
        }
        vec3 to = there * ray_of(at) - place;
        float size = length(to);
        float high = max(dot(n, to) / max(size, 1e-12) - 0.08, 0.0);
        closed += high * clamp(1.0 - size / (1.6 * reach), 0.0, 1.0);
    }
    openness = clamp(1.0 - 2.1 * closed / float(COUNT), 0.0, 1.0);
}
