// A unit shape, scaled, its two halves drawn apart along z, turned and moved.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float side; // 1 or -1: which half it belongs to

uniform mat4 model;
uniform vec3 scale;
uniform float apart;

out vec3 vertex_normal, vertex_place;
out float vertex_distance;

void main()
{
    vec4 place = model * vec4(position * scale + vec3(0.0, 0.0, side * apart), 1.0);
    vec4 at = view * place;
    gl_Position = projection * at;
    vertex_distance = -at.z;
    vertex_normal = mat3(model) * (normal / scale);
    vertex_place = place.xyz;
}
