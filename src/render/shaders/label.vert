// Rectangles in pixels from the upper left: letters out of the font's map, or plain colour.
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 place; // in the map; below 0 for plain colour
layout(location = 2) in vec3 color;

uniform vec2 size; // pixels of the picture

out vec2 vertex_place;
out vec3 vertex_color;

void main()
{
    vec2 p = position / size * 2.0 - 1.0;
    gl_Position = vec4(p.x, -p.y, 0.0, 1.0);
    vertex_place = place;
    vertex_color = color;
}
