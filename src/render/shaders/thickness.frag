// Summed over all faces of the fluid: its thickness along the ray, up to the first solid.
uniform sampler2D solid_distance;

in float vertex_distance;

out float thickness;

void main()
{
    float solid = texelFetch(solid_distance, ivec2(gl_FragCoord.xy), 0).r;
    float d = solid > 0.0 ? min(vertex_distance, solid) : vertex_distance;
    thickness = gl_FrontFacing ? -d : d;
}
