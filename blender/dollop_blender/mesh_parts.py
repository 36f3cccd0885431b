"""Small meshes: objects from points and faces, and the shapes of solids."""

import bmesh
import bpy
from mathutils import Matrix, Vector

SEGMENTS = 64


def mesh_object(collection: bpy.types.Collection, name: str, points, faces, smooth=False) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces)
    mesh.polygons.foreach_set("use_smooth", [smooth] * len(mesh.polygons))
    return link_mesh(collection, mesh)


def shaped_object(collection: bpy.types.Collection, name: str, build, smooth=False) -> bpy.types.Object:
    """BUILD fills a bmesh."""
    mesh = bpy.data.meshes.new(name)
    shape = bmesh.new()
    build(shape)
    for face in shape.faces:
        face.smooth = smooth and len(face.verts) <= 4             # the flat ends of a cylinder stay flat
    shape.to_mesh(mesh)
    shape.free()
    return link_mesh(collection, mesh)


def link_mesh(collection: bpy.types.Collection, mesh: bpy.types.Mesh) -> bpy.types.Object:
    obj = bpy.data.objects.new(mesh.name, mesh)
    collection.objects.link(obj)
    return obj


def add_box(shape, low, high) -> None:
    low, high = Vector(low), Vector(high)
    place = Matrix.Translation((low + high) / 2) @ Matrix.Diagonal((*(high - low), 1.0))
    bmesh.ops.create_cube(shape, size=1.0, matrix=place)


def add_ball(shape, radius: float) -> None:
    bmesh.ops.create_uvsphere(shape, u_segments=SEGMENTS, v_segments=SEGMENTS // 2, radius=radius)


def add_cylinder(shape, radius: float, length: float) -> None:
    bmesh.ops.create_cone(shape, cap_ends=True, segments=SEGMENTS, radius1=radius, radius2=radius, depth=length)


def add_capsule(shape, radius: float, length: float) -> None:
    """A ball whose halves are moved apart; the ring at the equator is removed."""
    add_ball(shape, radius)
    bmesh.ops.delete(shape, geom=[v for v in shape.verts if abs(v.co.z) < 1e-4 * radius], context="VERTS")
    for vertex in shape.verts:
        vertex.co.z += length / 2 if vertex.co.z > 0 else -length / 2
    bmesh.ops.bridge_loops(shape, edges=[edge for edge in shape.edges if edge.is_boundary])
