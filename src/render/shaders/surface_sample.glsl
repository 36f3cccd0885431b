// The maps hold `samples` samples along each side of a pixel of the picture. A pass at a lower resolution uses the middle
// one of the `stride` x `stride` samples that each of its own pixels covers.
uniform sampler2D solid_distance, fluid_distance;
uniform int samples, stride;

ivec2 sample_texel()
{
    return min(ivec2(gl_FragCoord.xy) * stride + stride / 2, textureSize(solid_distance, 0) - 1);
}

vec3 sample_ray(ivec2 texel)
{
    return view_ray((vec2(texel) + 0.5) / vec2(textureSize(solid_distance, 0)));
}

// The distance of the visible surface; 0 if there is none. Fluid behind a solid is not in its map.
float scene_distance(ivec2 texel)
{
    float fluid = texelFetch(fluid_distance, texel, 0).r;
    return fluid > 0.0 ? fluid : texelFetch(solid_distance, texel, 0).r;
}
