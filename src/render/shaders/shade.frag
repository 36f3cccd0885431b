// Solids, floor and backdrop.
uniform sampler2D solid_albedo, solid_normal, solid_distance, ambient_occlusion;
uniform vec3 backdrop;

in vec2 uv;

out vec4 light;

void main()
{
    vec3 ray = view_ray(uv), d = normalize(ray);
    vec3 far = backdrop * mix(1.0, 0.45, smoothstep(-0.05, 0.5, d.z));
    float distance = textureLod(solid_distance, uv, 0.0).r;
    if (distance <= 0.0) {
        light = vec4(far, 1.0);
        return;
    }
    vec4 albedo = textureLod(solid_albedo, uv, 0.0), normal = textureLod(solid_normal, uv, 0.0);
    vec3 n = normalize(normal.xyz), position = eye + distance * ray;
    float visibility = textureLod(ambient_occlusion, uv, 0.0).r;
    vec3 lamp = lamp_light_at(position, n, gl_FragCoord.xy) * LAMP_LIGHT * max(dot(n, to_lamp), 0.0);
    vec3 diffuse = albedo.rgb * (sky_light(n) * multibounce_occlusion(visibility, albedo.rgb) + lamp * 0.62);
    bool is_floor = normal.w > 1.5 && normal.w < 2.5;
    float specular = is_floor ? 0.0 : fresnel(dot(n, -d), 0.04) * (normal.w > 2.5 ? 0.5 : 1.0);
    vec3 color = mix(diffuse, studio(reflect(d, n), albedo.a) * visibility, specular);
    if (is_floor) {
        float away = length(position - eye - unit_length / max(view_slope.y, 1e-6) * view_forward) / unit_length;
        color = mix(color, far, smoothstep(2.5, 9.0, away));
    }
    light = vec4(color, 1.0);
}
