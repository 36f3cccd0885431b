#version 330 core

// Shared by all shaders. Lengths in metres, linear colors, z is up.

const float PI = 3.14159265;

uniform mat4 view, projection;
uniform vec3 eye;
uniform vec3 to_lamp;      // unit
uniform vec3 lamp_right;   // unit, along the lamp's longer side
uniform vec3 to_rim;       // unit, to a strip of light behind the scene
uniform vec3 view_right, view_up, view_forward;
uniform vec2 view_slope;   // tangents of half the fields of view
uniform float unit_length; // half the height of the picture at the target

const vec3 LAMP_LIGHT = vec3(2.55, 2.45, 2.28);
const float LAMP_ON_SURFACE = 0.58; // of that light, scattered by a white surface that faces the lamp
const vec3 SKY = vec3(0.78, 0.82, 0.88);
const vec3 GROUND = vec3(0.50, 0.46, 0.42);    // light from below
const vec3 LIT_FLOOR = vec3(1.10, 1.08, 1.05); // as seen in reflections

// The viewing ray of a pixel, scaled so that its component along the view direction is 1.
vec3 view_ray(vec2 uv)
{
    vec2 s = (2.0 * uv - 1.0) * view_slope;
    return view_forward + s.x * view_right + s.y * view_up;
}

float rectangle_light(vec3 d, vec3 to, vec3 right, vec2 half_size, float blur)
{
    float along = dot(d, to);
    if (along <= 0.0) {
        return 0.0;
    }
    vec3 up = cross(to, right);
    vec2 p = abs(vec2(dot(d, right), dot(d, up)) / along) - half_size;
    vec2 edge = 1.0 - smoothstep(vec2(-blur), vec2(blur), p);
    return edge.x * edge.y / (1.0 + 4.0 * blur);
}

// A photographer's studio, as it is reflected at a surface: a bright floor below, a bright ceiling above.
vec3 studio_walls(vec3 d, float roughness)
{
    vec3 base = mix(LIT_FLOOR, SKY, smoothstep(-0.12 - roughness, 0.25 + roughness, d.z));
    return base * mix(1.0, 0.62, smoothstep(0.15, 0.9, abs(d.z)) * (1.0 - roughness)); // the horizon is brightest
}

// A large soft lamp, and a strip light behind the scene.
vec3 studio_lamps(vec3 d, float roughness)
{
    float blur = 0.06 + 0.9 * roughness;
    vec3 rim_right = normalize(cross(vec3(0.0, 0.0, 1.0), to_rim));
    return LAMP_LIGHT * 4.6 * rectangle_light(d, to_lamp, lamp_right, vec2(0.50, 0.30), blur) +
           vec3(3.4, 3.6, 3.9) * rectangle_light(d, to_rim, rim_right, vec2(0.12, 0.55), blur);
}

// Diffuse irradiance from everything except the lamp.
vec3 sky_light(vec3 n)
{
    vec3 base = mix(GROUND, SKY, 0.5 + 0.5 * n.z) * 0.80;
    return base + vec3(0.16, 0.17, 0.19) * max(dot(n, to_rim), 0.0);
}

// Adds reflections to the light of a surface. Walls are reflected less than in nature, as with a polarizer: they would
// bleach colors without showing a shape. `amount` is 1 for a glossy surface, `lamp` the light of the lamp that arrives.
vec3 add_reflections(vec3 body, vec3 d, vec3 n, float roughness, float amount, vec3 lamp)
{
    const float LAMP_REFLECTANCE = 0.02, WALL_REFLECTANCE = 0.005;
    float grazing = pow(1.0 - clamp(dot(n, -d), 0.02, 1.0), 5.0);
    vec3 mirrored = reflect(d, n);
    return mix(body, studio_walls(mirrored, roughness), amount * mix(WALL_REFLECTANCE, 1.0, grazing)) +
           studio_lamps(mirrored, roughness) * mix(vec3(0.25), vec3(1.0), lamp) * amount *
               mix(LAMP_REFLECTANCE, 1.0, grazing);
}

// Ambient occlusion with multiple bounces, which tints corners with the surface's color.
vec3 multibounce_occlusion(float visibility, vec3 albedo)
{
    vec3 a = 2.0404 * albedo - 0.3324, b = -4.7951 * albedo + 0.6417, c = 2.7552 * albedo + 0.6903;
    return max(vec3(visibility), ((visibility * a + b) * visibility + c) * visibility);
}

// A pattern from 0 to 1 that differs between neighboring pixels (interleaved gradient noise).
float dither(vec2 pixel)
{
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

// Evenly distributed points of a disc: point n of `count` lies in a direction that advances by the golden angle, which
// is cheaper than a sine and a cosine per point.
const mat2 GOLDEN_TURN = mat2(-0.73736888, 0.67549029, -0.67549029, -0.73736888);

vec2 first_direction(float rotation)
{
    return vec2(cos(2.0 * PI * rotation), sin(2.0 * PI * rotation));
}

float disc_radius(int n, int count)
{
    return sqrt((float(n) + 0.5) / float(count));
}
