// Openness without its grain: the mean of 4 x 4 pixels at about the same depth.
uniform sampler2D openness;

in vec2 uv;

out float smooth_openness;

void main()
{
    vec2 texel = 1.0 / vec2(textureSize(openness, 0));
    float here = nearest(uv), sum = 0.0, weight = 0.0;
    for (int n = 0; n < 25; n++) {
        vec2 at = uv + texel * (vec2(n % 5, n / 5) - 2.0);
        float w = exp(-60.0 * abs(nearest(at) / max(here, 1e-12) - 1.0));
        sum += w * textureLod(openness, at, 0.0).r;
        weight += w;
    }
    smooth_openness = sum / max(weight, 1e-6);
}
