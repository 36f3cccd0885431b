// The front of the fluid; the depth buffer of the solids hides it behind them.
in vec3 vertex_normal, vertex_albedo, vertex_absorption, vertex_finish, vertex_glow;
in float vertex_distance;

layout(location = 0) out vec4 albedo;     // and roughness
layout(location = 1) out vec4 absorption; // and transmission
layout(location = 2) out vec4 normal;     // and subsurface
layout(location = 3) out vec4 glow;
layout(location = 4) out float distance;

void main()
{
    albedo = vec4(vertex_albedo, vertex_finish.x);
    absorption = vec4(vertex_absorption, vertex_finish.y);
    normal = vec4(normalize(vertex_normal), vertex_finish.z);
    glow = vec4(vertex_glow, 1.0);
    distance = vertex_distance;
}
