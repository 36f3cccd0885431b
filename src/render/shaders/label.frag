uniform sampler2D font;

in vec2 vertex_place;
in vec3 vertex_color;

out vec4 color;

void main()
{
    color = vec4(vertex_color, vertex_place.x < 0.0 ? 1.0 : textureLod(font, vertex_place, 0.0).r);
}
