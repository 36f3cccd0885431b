// The fluid, one sample per pixel.
out vec4 color;

void main()
{
    color = vec4(tone_map(fluid_light(sample_texel())), 1.0);
}
