// Albedo, normal and distance of solids and the floor.
uniform vec3 color;
uniform float kind; // 0 the floor, 1 spheres, otherwise different for adjacent solids

in vec3 vertex_normal, vertex_position;
in float vertex_distance;

layout(location = 0) out vec4 albedo; // and roughness
layout(location = 1) out vec4 normal; // and kind
layout(location = 2) out float distance;

void main()
{
    albedo = vec4(color, 0.35);
    normal = vec4(normalize(vertex_normal), kind);
    distance = vertex_distance;
}
