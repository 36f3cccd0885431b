// The light from the fluid over its background at a sample: reflected, scattered at the surface, or transmitted.
uniform sampler2D fluid_albedo, fluid_absorption, fluid_normal, fluid_glow, fluid_lamp;
uniform sampler2D thickness, background;

vec3 fluid_light(ivec2 texel)
{
    float distance = texelFetch(fluid_distance, texel, 0).r;
    vec4 albedo = texelFetch(fluid_albedo, texel, 0), absorption = texelFetch(fluid_absorption, texel, 0);
    vec4 normal = texelFetch(fluid_normal, texel, 0);
    vec3 ray = sample_ray(texel), d = normalize(ray), n = normalize(normal.xyz);
    float transmission = absorption.a, subsurface = normal.w;
    float visibility = visibility_at(texel, distance);

    // scattered at the surface; subsurface scattering brightens edges and the fluid's own shadows
    float wrap = 0.6 * subsurface;
    vec3 lamp = lamp_at(fluid_lamp, texel, distance);
    vec3 wrapped_lamp = mix(lamp, vec3(1.0), 0.25 * subsurface) * LAMP_LIGHT;
    float lit = max((dot(n, to_lamp) + wrap) / ((1.0 + wrap) * (1.0 + wrap)), 0.0);
    vec3 sky = sky_light(n) * mix(multibounce_occlusion(visibility, albedo.rgb), vec3(1.0), 0.2 * subsurface);
    vec3 diffuse = albedo.rgb * (sky + wrapped_lamp * lit * LAMP_ON_SURFACE);

    // transmitted: refracted, attenuated by absorption, plus the light scattered inside
    float depth_inside = max(texelFetch(thickness, texel, 0).r, 0.0);
    vec2 uv = (vec2(texel) + 0.5) / vec2(textureSize(solid_distance, 0));
    vec2 screen_normal = vec2(dot(n, view_right), dot(n, view_up));
    vec2 refracted_uv = uv - screen_normal * 0.35 * min(depth_inside, unit_length) / (distance * 2.0 * view_slope);
    float solid = textureLod(solid_distance, refracted_uv, 0.0).r;
    refracted_uv = solid > 0.0 && solid < distance ? uv : refracted_uv;
    vec3 transmitted = exp(-absorption.rgb * depth_inside / unit_length);
    float scattering = subsurface * (1.0 - exp(-3.0 * depth_inside / unit_length));
    float blur = max(5.0 * scattering - 1.0, 0.0);
    vec3 through = textureLod(background, clamp(refracted_uv, 0.0, 1.0), blur).rgb * transmitted;
    vec3 scattered = albedo.rgb * (sky_light(n) + LAMP_LIGHT * mix(lamp, vec3(1.0), 0.5) * 0.34);
    through = mix(through, scattered, scattering * (1.0 - transmission * 0.35)) + 0.10 * transmitted * LAMP_LIGHT * pow(max(dot(d, to_lamp), 0.0), 3.0);
    vec3 body = mix(diffuse, through, transmission);

    float amount = mix(1.0, visibility, 0.5) * mix(1.0, 0.55, smoothstep(0.3, 0.9, albedo.a));
    return add_reflections(body, d, n, albedo.a, amount, lamp) + texelFetch(fluid_glow, texel, 0).rgb;
}
