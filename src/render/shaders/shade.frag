// Solids, floor and backdrop.
uniform sampler2D solid_albedo, solid_normal, solid_distance, openness;
uniform vec3 backdrop;

in vec2 uv;

out vec4 light;

void main()
{
    vec3 ray = ray_of(uv), d = normalize(ray);
    vec3 far = backdrop * mix(1.0, 0.45, smoothstep(-0.05, 0.5, d.z));
    float distance = textureLod(solid_distance, uv, 0.0).r;
    if (distance <= 0.0) {
        light = vec4(far, 1.0);
        return;
    }
    vec4 albedo = textureLod(solid_albedo, uv, 0.0), normal = textureLod(solid_normal, uv, 0.0);
    vec3 n = normalize(normal.xyz), place = eye + distance * ray;
    float open = textureLod(openness, uv, 0.0).r;
    vec3 lamp = lamp_at(place, n, gl_FragCoord.xy) * LAMP_LIGHT * max(dot(n, to_lamp), 0.0);
    vec3 matt = albedo.rgb * (sky_light(n) * occluded(open, albedo.rgb) + lamp * 0.62);
    bool is_floor = normal.w > 1.5 && normal.w < 2.5;
    float shine = is_floor ? 0.0 : fresnel(dot(n, -d), 0.04) * (normal.w > 2.5 ? 0.5 : 1.0);
    vec3 color = mix(matt, studio(reflect(d, n), albedo.a) * open, shine);
    if (is_floor) {
        float away = length(place - eye - unit_length / max(view_slope.y, 1e-6) * view_forward) / unit_length;
        color = mix(color, far, smoothstep(2.5, 9.0, away));
    }
    light = vec4(color, 1.0);
}
