// Letters from the font texture, or plain color.
uniform sampler2D font;

in vec2 vertex_uv;
in vec3 vertex_color;

out vec4 color;

void main()
{
    color = vec4(vertex_color, vertex_uv.x < 0.0 ? 1.0 : textureLod(font, vertex_uv, 0.0).r);
}
