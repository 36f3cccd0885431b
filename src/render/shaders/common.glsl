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
const vec3 SKY = vec3(0.78, 0.82, 0.88);
const vec3 GROUND = vec3(0.50, 0.46, 0.42);

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

// A photographer's studio: bright above, a large soft lamp, a strip light behind the scene.
vec3 studio(vec3 d, float roughness)
{
    float blur = 0.06 + 0.9 * roughness;
    vec3 base = mix(GROUND, SKY, smoothstep(-0.12 - roughness, 0.25 + roughness, d.z));
    base *= mix(1.0, 0.62, smoothstep(0.15, 0.9, abs(d.z)) * (1.0 - roughness)); // the horizon is brightest
    vec3 rim_right = normalize(cross(vec3(0.0, 0.0, 1.0), to_rim));
    base += LAMP_LIGHT * 2.6 * rectangle_light(d, to_lamp, lamp_right, vec2(0.50, 0.30), blur);
    base += vec3(1.9, 2.0, 2.2) * rectangle_light(d, to_rim, rim_right, vec2(0.12, 0.55), blur);
    return base;
}

// Diffuse irradiance from everything except the lamp.
vec3 sky_light(vec3 n)
{
    vec3 base = mix(GROUND, SKY, 0.5 + 0.5 * n.z) * 0.62;
    return base + vec3(0.16, 0.17, 0.19) * max(dot(n, to_rim), 0.0);
}

float fresnel(float cosine, float base)
{
    return base + (1.0 - base) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
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

// Evenly distributed points of a disc, rotated per pixel.
vec2 disc_sample(int n, int count, float rotation)
{
    float r = sqrt((float(n) + 0.5) / float(count)), a = 2.39996323 * float(n) + 2.0 * PI * rotation;
    return r * vec2(cos(a), sin(a));
}
