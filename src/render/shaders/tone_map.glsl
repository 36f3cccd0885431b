// From light to the brightness of the screen: exposed and white-balanced for a card on the floor in full light, so that
// a matt surface there shows exactly its own color up to a brightness of 0.8. Above, highlights roll off at constant hue
// instead of clipping (like the "PBR neutral" curve of the Khronos group, 2024).
uniform float exposure; // 1: as described

vec3 tone_map(vec3 light)
{
    const float START = 0.8, ROOM = 1.0 - START, DESATURATION = 0.15;
    vec3 card = sky_light(vec3(0.0, 0.0, 1.0)) + LAMP_LIGHT * LAMP_ON_SURFACE * to_lamp.z;
    vec3 x = exposure * light / card;
    float peak = max(x.r, max(x.g, x.b));
    float new_peak = peak < START ? peak : 1.0 - ROOM * ROOM / (peak + ROOM - START);
    float gray = 1.0 - 1.0 / (DESATURATION * (peak - new_peak) + 1.0);
    return mix(x * (new_peak / max(peak, 1e-6)), vec3(new_peak), gray);
}
