// Ray cast spheres with their own depth.
uniform float radius;
uniform bool from_lamp;

in vec3 vertex_color, vertex_position;
flat in vec3 vertex_center;

layout(location = 0) out vec4 albedo;
layout(location = 1) out vec4 normal;
layout(location = 2) out float distance;

void main()
{
    vec3 start = from_lamp ? vec3(vertex_position.xy, 0.0) : vec3(0.0);
    vec3 d = from_lamp ? vec3(0.0, 0.0, -1.0) : normalize(vertex_position);
    vec3 c = vertex_center - start;
    float along = dot(c, d), miss = dot(c, c) - along * along, inside = radius * radius - miss;
    if (inside < 0.0) {
        discard;
    }
    vec3 hit = start + (along - sqrt(inside)) * d;
    vec3 n = (hit - vertex_center) / radius;
    vec4 clip_position = projection * vec4(hit, 1.0);
    gl_FragDepth = 0.5 + 0.5 * clip_position.z / clip_position.w;
    albedo = vec4(vertex_color, 0.5);
    normal = vec4(transpose(mat3(view)) * n, 1.0);
    distance = -hit.z;
}
