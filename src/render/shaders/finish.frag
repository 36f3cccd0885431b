// The mean of the samples of a pixel, with tone mapping: highlights roll off instead of clipping.
uniform sampler2D picture;
uniform int samples;
uniform float exposure;

in vec2 uv;

out vec4 color;

vec3 tone_map(vec3 x)
{
    x *= exposure;
    vec3 c = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    return clamp(c, 0.0, 1.0);
}

void main()
{
    ivec2 first = ivec2(gl_FragCoord.xy) * samples;
    vec3 sum = vec3(0.0);
    for (int n = 0; n < samples * samples; n++) {
        sum += tone_map(texelFetch(picture, first + ivec2(n % samples, n / samples), 0).rgb);
    }
    vec3 c = sum / float(samples * samples);
    vec3 low = 12.92 * c, high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
    vec3 encoded = mix(high, low, vec3(lessThanEqual(c, vec3(0.0031308))));
    color = vec4(encoded + (dither(gl_FragCoord.xy) - 0.5) / 255.0, 1.0); // avoids banding in slow gradients
}
