// The vertices of the fluid with their looks.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 albedo;
layout(location = 3) in vec3 absorption;
layout(location = 4) in vec3 finish; // roughness, transmission, subsurface
layout(location = 5) in vec3 glow;

out vec3 vertex_normal, vertex_albedo, vertex_absorption, vertex_finish, vertex_glow;
out float vertex_distance;

void main()
{
    vec4 view_position = view * vec4(position, 1.0);
    gl_Position = projection * view_position;
    vertex_distance = -view_position.z;
    vertex_normal = normal;
    vertex_albedo = albedo;
    vertex_absorption = absorption;
    vertex_finish = finish;
    vertex_glow = glow;
}
