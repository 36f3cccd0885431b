// The picture on the screen: fluid and edges are ready, the rest is the background.
uniform sampler2D picture, background, kinds;

out vec4 color;

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    pixel.y = textureSize(kinds, 0).y - 1 - pixel.y; // OpenGL counts rows from the bottom, picture files from the top
    bool is_background = texelFetch(kinds, pixel, 0).r > 0.7;
    vec3 c = is_background ? tone_map(texelFetch(background, pixel, 0).rgb) : texelFetch(picture, pixel, 0).rgb;
    vec3 low = 12.92 * c, high = 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055;
    vec3 encoded = mix(high, low, vec3(lessThanEqual(c, vec3(0.0031308))));
    color = vec4(encoded + (dither(gl_FragCoord.xy) - 0.5) / 255.0, 1.0); // avoids banding in slow gradients
}
