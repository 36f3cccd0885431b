// Removes the noise of the ambient occlusion: the mean of 5 x 5 pixels of the same surface.
out vec2 visibility; // and distance

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy), last = textureSize(ambient_occlusion, 0) - 1;
    float here = texelFetch(ambient_occlusion, pixel, 0).g, sum = 0.0, weight = 0.0;
    for (int n = 0; n < 25; n++) {
        vec2 there = texelFetch(ambient_occlusion, clamp(pixel + ivec2(n % 5, n / 5) - 2, ivec2(0), last), 0).rg;
        float w = same_surface(there.g, here);
        sum += w * there.r;
        weight += w;
    }
    visibility = vec2(sum / weight, here);
}
