// Removes the noise of the ambient occlusion: the mean of 5 x 5 pixels at about the same distance.
uniform sampler2D ambient_occlusion;

in vec2 uv;

out float smooth_occlusion;

void main()
{
    vec2 texel = 1.0 / vec2(textureSize(ambient_occlusion, 0));
    float here = scene_distance(uv), sum = 0.0, weight = 0.0;
    for (int n = 0; n < 25; n++) {
        vec2 sample_uv = uv + texel * (vec2(n % 5, n / 5) - 2.0);
        float w = exp(-60.0 * abs(scene_distance(sample_uv) / max(here, 1e-12) - 1.0));
        sum += w * textureLod(ambient_occlusion, sample_uv, 0.0).r;
        weight += w;
    }
    smooth_occlusion = sum / max(weight, 1e-6);
}
