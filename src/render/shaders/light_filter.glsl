// Light that was computed once per pixel, or once per four, read at one sample: a mean over pixels of the same surface.
uniform sampler2D ambient_occlusion; // visibility of the sky, and distance; half the resolution of the picture

// 1 at the same distance, 0 from 3 % away; never quite 0, so that a thread thinner than a pixel gets light as well.
float same_surface(float there, float here)
{
    return max(1.0 - 32.0 * abs(there - here) / max(here, 1e-12), 0.0) + 1e-4;
}

// 3 x 3 pixels: the noise pattern of the shadows repeats every three.
vec3 lamp_at(sampler2D lamp_light, ivec2 texel, float here)
{
    ivec2 pixel = texel / samples, last = textureSize(lamp_light, 0) - 1;
    vec4 sum = vec4(0.0);
    for (int n = 0; n < 9; n++) {
        vec4 there = texelFetch(lamp_light, clamp(pixel + ivec2(n % 3, n / 3) - 1, ivec2(0), last), 0);
        sum += same_surface(there.a, here) * vec4(there.rgb, 1.0);
    }
    return sum.rgb / sum.a;
}

float visibility_at(ivec2 texel, float here)
{
    vec2 at = (vec2(texel) + 0.5) / float(2 * samples) - 0.5, part = fract(at);
    ivec2 first = ivec2(floor(at)), last = textureSize(ambient_occlusion, 0) - 1;
    float sum = 0.0, weight = 0.0;
    for (int n = 0; n < 4; n++) {
        ivec2 corner = ivec2(n % 2, n / 2);
        vec2 there = texelFetch(ambient_occlusion, clamp(first + corner, ivec2(0), last), 0).rg;
        vec2 near = mix(1.0 - part, part, vec2(corner));
        float w = near.x * near.y * same_surface(there.g, here) + 1e-6;
        sum += w * there.r;
        weight += w;
    }
    return sum / weight;
}
