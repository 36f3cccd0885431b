// Pixels at edges: the mean of all their samples.
out vec4 color;

void main()
{
    ivec2 first = ivec2(gl_FragCoord.xy) * samples;
    vec3 sum = vec3(0.0);
    for (int n = 0; n < samples * samples; n++) {
        ivec2 texel = first + ivec2(n % samples, n / samples);
        bool is_fluid = texelFetch(fluid_distance, texel, 0).r > 0.0;
        sum += tone_map(is_fluid ? fluid_light(texel) : solid_light(texel));
    }
    color = vec4(sum / float(samples * samples), 1.0);
}
