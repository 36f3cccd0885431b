// The fraction of the lamp's light that the fluid transmits.
in vec3 vertex_absorption, vertex_finish;

out vec4 through;

void main()
{
    through = vec4(exp(-0.22 * vertex_absorption) * vertex_finish.y * 0.85, 1.0);
}
