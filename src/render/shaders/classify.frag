// The kind of each pixel, as its depth, so that later passes can select pixels by a depth test: 0.25 fluid, 0.75 solids or
// backdrop, 0.5 an edge, where the samples differ too much to be represented by one of them.
uniform sampler2D solid_normal, fluid_normal;

void main()
{
    const float STEP = 0.004;                               // of the unit length: a step in the surface
    const float CURVED_MIRROR = 0.9985, CURVED_MATT = 0.97; // cosine between normals: a highlight, or shading
    ivec2 first = ivec2(gl_FragCoord.xy) * samples, middle = first + samples / 2;
    bool is_fluid = texelFetch(fluid_distance, middle, 0).r > 0.0;
    float here = scene_distance(middle);
    vec4 solid = texelFetch(solid_normal, middle, 0);
    vec3 n = is_fluid ? texelFetch(fluid_normal, middle, 0).xyz : solid.xyz, position = here * sample_ray(middle);
    bool is_edge = false;
    for (int k = 0; k < samples * samples; k++) {
        ivec2 texel = first + ivec2(k % samples, k / samples);
        float fluid = texelFetch(fluid_distance, texel, 0).r, there = scene_distance(texel);
        vec4 solid_there = texelFetch(solid_normal, texel, 0);
        vec3 normal = fluid > 0.0 ? texelFetch(fluid_normal, texel, 0).xyz : solid_there.xyz;
        bool differs = is_fluid != fluid > 0.0 || (here > 0.0) != (there > 0.0);
        bool other = !is_fluid && solid.w != solid_there.w;
        bool turned = dot(n, normal) < (is_fluid ? CURVED_MIRROR : CURVED_MATT);
        bool apart = abs(dot(n, there * sample_ray(texel) - position)) > STEP * unit_length;
        is_edge = is_edge || differs || (here > 0.0 && (other || turned || apart));
    }
    gl_FragDepth = is_edge ? 0.5 : is_fluid ? 0.25 : 0.75;
}
