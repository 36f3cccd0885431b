// The fluid over its background: light is reflected, scattered at the surface, or transmitted.
uniform sampler2D fluid_albedo, fluid_absorption, fluid_normal, fluid_glow, fluid_distance;
uniform sampler2D thickness, background, solid_distance, ambient_occlusion;

in vec2 uv;

out vec4 light;

void main()
{
    float distance = textureLod(fluid_distance, uv, 0.0).r;
    if (distance <= 0.0) {
        light = textureLod(background, uv, 0.0);
        return;
    }
    vec4 albedo = textureLod(fluid_albedo, uv, 0.0), absorption = textureLod(fluid_absorption, uv, 0.0);
    vec4 normal = textureLod(fluid_normal, uv, 0.0);
    vec3 ray = view_ray(uv), d = normalize(ray), n = normalize(normal.xyz), position = eye + distance * ray;
    float transmission = absorption.a, subsurface = normal.w, visibility = textureLod(ambient_occlusion, uv, 0.0).r;
    float facing = max(dot(n, -d), 0.02);

    // scattered at the surface; subsurface scattering brightens edges and the fluid's own shadows
    float wrap = 0.6 * subsurface;
    vec3 lamp = lamp_light_at(position, n, gl_FragCoord.xy);
    vec3 wrapped_lamp = mix(lamp, vec3(1.0), 0.25 * subsurface) * LAMP_LIGHT;
    float lit = max((dot(n, to_lamp) + wrap) / ((1.0 + wrap) * (1.0 + wrap)), 0.0);
    vec3 sky = sky_light(n) * mix(multibounce_occlusion(visibility, albedo.rgb), vec3(1.0), 0.2 * subsurface);
    vec3 diffuse = albedo.rgb * (sky + wrapped_lamp * lit * 0.62);

    // transmitted: refracted, attenuated by absorption, plus the light scattered inside
    float depth_inside = max(textureLod(thickness, uv, 0.0).r, 0.0);
    vec2 screen_normal = vec2(dot(n, view_right), dot(n, view_up));
    vec2 refracted_uv = uv - screen_normal * 0.35 * min(depth_inside, unit_length) / (distance * 2.0 * view_slope);
    float solid = textureLod(solid_distance, refracted_uv, 0.0).r;
    refracted_uv = solid > 0.0 && solid < distance ? uv : refracted_uv;
    vec3 transmitted = exp(-absorption.rgb * depth_inside / unit_length);
    float scattering = subsurface * (1.0 - exp(-3.0 * depth_inside / unit_length));
    vec3 through = textureLod(background, clamp(refracted_uv, 0.0, 1.0), 5.0 * scattering).rgb * transmitted;
    vec3 scattered = albedo.rgb * (sky_light(n) + LAMP_LIGHT * mix(lamp, vec3(1.0), 0.5) * 0.22);
    through = mix(through, scattered, scattering * (1.0 - transmission * 0.35)) + 0.10 * transmitted * LAMP_LIGHT * pow(max(dot(d, to_lamp), 0.0), 3.0);
    vec3 body = mix(diffuse, through, transmission);

    float specular = fresnel(facing, 0.04) * mix(1.0, visibility, 0.5);
    specular *= mix(1.0, 0.55, smoothstep(0.3, 0.9, albedo.a));
    vec3 color = mix(body, studio(reflect(d, n), albedo.a), specular) + textureLod(fluid_glow, uv, 0.0).rgb;
    light = vec4(color, 1.0);
}
