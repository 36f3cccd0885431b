"""Compares a mesh as PLY (read by VTK), OBJ and GLB: equal counts, positions and volume, closed, about the volume of the fluid.

    surface_compare.py PATH_WITHOUT_ENDING VOLUME_M3
"""

import json
import struct
import sys

from vtkmodules.vtkFiltersCore import vtkFeatureEdges, vtkMassProperties
from vtkmodules.vtkIOPLY import vtkPLYReader


def read_obj(path):
    vertices, faces = [], []
    for line in open(path):
        word, *rest = line.split()
        if word == "v":
            vertices.append([float(x) for x in rest])
        elif word == "f":
            faces.append([int(x.split("/")[0]) - 1 for x in rest])
    return vertices, faces


def read_glb(path):
    data = open(path, "rb").read()
    magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
    assert magic == b"glTF" and version == 2 and length == len(data) and kind == b"JSON"
    document = json.loads(data[20:20 + size])
    binary_size, kind = struct.unpack_from("<I4s", data, 20 + size)
    binary = data[28 + size:]
    assert kind == b"BIN\0" and binary_size == len(binary) == document["buffers"][0]["byteLength"]
    primitive = document["meshes"][0]["primitives"][0]

    def values(number, letter, components):
        accessor = document["accessors"][number]
        view = document["bufferViews"][accessor["bufferView"]]
        flat = struct.unpack_from(f"<{accessor['count'] * components}{letter}", binary, view["byteOffset"])
        return [list(flat[i:i + components]) for i in range(0, len(flat), components)], accessor

    vertices, accessor = values(primitive["attributes"]["POSITION"], "f", 3)
    for axis in range(3):
        column = [v[axis] for v in vertices]
        assert struct.pack("<f", accessor["min"][axis]) == struct.pack("<f", min(column)), "the least position"
        assert struct.pack("<f", accessor["max"][axis]) == struct.pack("<f", max(column)), "the largest position"
    assert "_VELOCITY" in primitive["attributes"]
    indices, _ = values(primitive["indices"], "I", 1)
    flat = [i[0] for i in indices]
    return vertices, [flat[i:i + 3] for i in range(0, len(flat), 3)]


def main():
    base, expected = sys.argv[1], float(sys.argv[2])
    reader = vtkPLYReader()
    reader.SetFileName(base + ".ply")
    reader.Update()
    mesh = reader.GetOutput()
    assert mesh.GetNumberOfPoints() > 1000 and mesh.GetPointData().GetNormals() is not None
    edges = vtkFeatureEdges()
    edges.SetInputConnection(reader.GetOutputPort())
    edges.FeatureEdgesOff()
    edges.BoundaryEdgesOn()
    edges.NonManifoldEdgesOn()
    edges.Update()
    assert edges.GetOutput().GetNumberOfCells() == 0, "open or non-manifold edges"
    mass = vtkMassProperties()
    mass.SetInputConnection(reader.GetOutputPort())
    mass.Update()
    assert abs(mass.GetVolume() / expected - 1) < 0.1, f"{mass.GetVolume()} m3 instead of {expected}"
    for vertices, faces in (read_obj(base + ".obj"), read_glb(base + ".glb")):
        assert len(vertices) == mesh.GetNumberOfPoints() and len(faces) == mesh.GetNumberOfCells()
        for i in range(0, len(vertices), 97):
            assert all(abs(a - b) < 1e-6 for a, b in zip(vertices[i], mesh.GetPoint(i))), i
    print(f"{mesh.GetNumberOfCells()} triangles, {mass.GetVolume():.4f} m3 of {expected} m3")


main()
