// Solids, floor and backdrop, one sample per pixel.
out vec4 light;

void main()
{
    light = vec4(solid_light(sample_texel()), 1.0);
}
