// A square facing the camera or lamp that covers a sphere.
layout(location = 0) in vec3 center;
layout(location = 1) in vec3 color;

uniform float radius;
uniform bool from_lamp;

out vec3 vertex_color, vertex_position;
flat out vec3 vertex_center; // in view coordinates

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vertex_center = (view * vec4(center, 1.0)).xyz;
    float grow = from_lamp ? 1.0 : 1.0 / sqrt(max(1.0 - radius * radius / dot(vertex_center, vertex_center), 0.05));
    vertex_position = vertex_center + vec3(corner * radius * grow * 1.02, 0.0);
    vertex_color = color;
    gl_Position = projection * vec4(vertex_position, 1.0);
}
