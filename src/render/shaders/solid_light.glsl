// The light from solids, floor and backdrop at a sample.
uniform sampler2D solid_albedo, solid_normal, solid_lamp;
uniform vec3 backdrop;

vec3 solid_light(ivec2 texel)
{
    vec3 ray = sample_ray(texel), d = normalize(ray);
    vec3 far = backdrop * mix(1.0, 0.45, smoothstep(-0.05, 0.5, d.z));
    float distance = texelFetch(solid_distance, texel, 0).r;
    vec4 albedo = texelFetch(solid_albedo, texel, 0), normal = texelFetch(solid_normal, texel, 0);
    vec3 n = normalize(normal.xyz), position = eye + distance * ray;
    float visibility = visibility_at(texel, distance);
    vec3 lamp = lamp_at(solid_lamp, texel, distance);
    vec3 sky = sky_light(n) * multibounce_occlusion(visibility, albedo.rgb);
    vec3 diffuse = albedo.rgb * (sky + lamp * LAMP_LIGHT * max(dot(n, to_lamp), 0.0) * LAMP_ON_SURFACE);
    bool is_floor = normal.w == 0.0;
    vec3 color = add_reflections(diffuse, d, n, albedo.a, is_floor ? 0.0 : 0.5 * visibility, lamp);
    float away = length(position - eye - unit_length / max(view_slope.y, 1e-6) * view_forward) / unit_length;
    color = mix(color, far, is_floor ? smoothstep(2.5, 9.0, away) : 0.0);
    return distance > 0.0 ? color : far;
}
