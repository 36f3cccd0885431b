// One triangle that covers the target, at a depth that selects pixels.
uniform float depth; // -1 to 1

void main()
{
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    gl_Position = vec4(corner, depth, 1.0);
}
