// Rectangles in pixels from the upper left: letters from the font texture, or plain color.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 uv; // in the font texture; negative for plain color
layout(location = 2) in vec3 color;

uniform vec2 size; // pixels of the picture

out vec2 vertex_uv;
out vec3 vertex_color;

void main()
{
    vec2 p = position / size * 2.0 - 1.0;
    gl_Position = vec4(p, 0.0, 1.0); // the first row of the target is the upper one
    vertex_uv = uv;
    vertex_color = color;
}
