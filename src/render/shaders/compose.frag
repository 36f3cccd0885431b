// The fluid over what is behind it: part of the light is mirrored, part scattered at the surface, part goes through.
uniform sampler2D fluid_albedo, fluid_absorption, fluid_normal, fluid_glow, fluid_distance;
uniform sampler2D thickness, behind, solid_distance, openness;

in vec2 uv;

out vec4 light;

void main()
{
    float distance = textureLod(fluid_distance, uv, 0.0).r;
    if (distance <= 0.0) {
        light = textureLod(behind, uv, 0.0);
        return;
    }
    vec4 albedo = textureLod(fluid_albedo, uv, 0.0), absorption = textureLod(fluid_absorption, uv, 0.0);
    vec4 normal = textureLod(fluid_normal, uv, 0.0);
    vec3 ray = ray_of(uv), d = normalize(ray), n = normalize(normal.xyz), place = eye + distance * ray;
    float clearness = absorption.a, softness = normal.w, open = textureLod(openness, uv, 0.0).r;
    float facing = max(dot(n, -d), 0.02);

    // scattered at the surface; soft matter lets light creep around edges and into its own shadow
    float wrap = 0.6 * softness;
    vec3 lamp = lamp_at(place, n, gl_FragCoord.xy);
    vec3 crept = mix(lamp, vec3(1.0), 0.25 * softness) * LAMP_LIGHT;
    float lit = max((dot(n, to_lamp) + wrap) / ((1.0 + wrap) * (1.0 + wrap)), 0.0);
    vec3 sky = sky_light(n) * mix(occluded(open, albedo.rgb), vec3(1.0), 0.2 * softness);
    vec3 matt = albedo.rgb * (sky + crept * lit * 0.62);

    // gone through: bent towards the normal, what is left of it after the way inside, and what was scattered on that way
    float deep = max(textureLod(thickness, uv, 0.0).r, 0.0);
    vec2 lean = vec2(dot(n, view_right), dot(n, view_up));
    vec2 bent = uv - lean * 0.35 * min(deep, unit_length) / (distance * 2.0 * view_slope);
    float solid = textureLod(solid_distance, bent, 0.0).r;
    bent = solid > 0.0 && solid < distance ? uv : bent;
    vec3 left = exp(-absorption.rgb * deep / unit_length);
    float cloudy = softness * (1.0 - exp(-3.0 * deep / unit_length));
    vec3 through = textureLod(behind, clamp(bent, 0.0, 1.0), 5.0 * cloudy).rgb * left;
    vec3 inner = albedo.rgb * (sky_light(n) + LAMP_LIGHT * mix(lamp, vec3(1.0), 0.5) * 0.22);
    through = mix(through, inner, cloudy * (1.0 - clearness * 0.35)) + 0.10 * left * LAMP_LIGHT * pow(max(dot(d, to_lamp), 0.0), 3.0);
    vec3 body = mix(matt, through, clearness);

    float shine = fresnel(facing, 0.04) * mix(1.0, open, 0.5);
    shine *= mix(1.0, 0.55, smoothstep(0.3, 0.9, albedo.a));
    vec3 color = mix(body, studio(reflect(d, n), albedo.a), shine) + textureLod(fluid_glow, uv, 0.0).rgb;
    light = vec4(color, 1.0);
}
