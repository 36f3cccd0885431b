// A unit shape: scaled, its two halves moved apart along z, rotated and moved.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float side; // 1 or -1: the half of the shape

uniform mat4 model;
uniform vec3 scale;
uniform float half_offset;

out vec3 vertex_normal, vertex_position;
out float vertex_distance;

void main()
{
    vec4 world_position = model * vec4(position * scale + vec3(0.0, 0.0, side * half_offset), 1.0);
    vec4 view_position = view * world_position;
    gl_Position = projection * view_position;
    vertex_distance = -view_position.z;
    vertex_normal = mat3(model) * (normal / scale);
    vertex_position = world_position.xyz;
}
