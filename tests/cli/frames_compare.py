"""Reads frames with VTK and with h5py and compares them, particle by particle, with the CSV file of each."""
import csv
import re
import sys

import h5py
import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOHDF import vtkHDFReader


def read_csv(path):
    """Columns by name without their units; vectors and symmetric tensors joined."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    names = [re.sub(r" \[.*\]$", "", name) for name in rows[0]]
    table = {name: numpy.array([row[i] for row in rows[1:]]) for i, name in enumerate(names)}
    columns = {}
    for name in names:
        match = re.fullmatch(r"(.*)_([xyz])", name)
        tensor = re.fullmatch(r"(.*)_([xyz]{2})", name)
        if tensor:
            parts = [table[f"{tensor[1]}_{part}"].astype(float) for part in ("xx", "yy", "zz", "xy", "yz", "xz")]
            columns[tensor[1]] = numpy.stack(parts, axis=1)
        elif not match:
            columns[name] = table[name].astype(float)
        elif match[2] == "x":
            columns[match[1]] = numpy.stack([table[f"{match[1]}_{axis}"].astype(float) for axis in "xyz"], axis=1)
    return columns


def read_vtk(path):
    reader = vtkHDFReader()
    assert reader.CanReadFile(path), f"VTK does not know {path}"
    reader.SetFileName(path)
    reader.Update()
    output = reader.GetOutputDataObject(0)
    points = output.GetPoints()
    fields = {"position": vtk_to_numpy(points.GetData()) if points else numpy.zeros((0, 3))}
    data = output.GetPointData()
    for i in range(data.GetNumberOfArrays()):
        fields[data.GetArrayName(i)] = vtk_to_numpy(data.GetArray(i))
    return fields


def read_h5py(path):
    with h5py.File(path) as file:
        root = file["VTKHDF"]
        fields = {"position": root["Points"][...]}
        for name in root["PointData"]:
            fields[name] = root["PointData"][name][...]
    return fields


def read_ply_count(path):
    with open(path, "rb") as file:
        for line in file:
            if line.startswith(b"element vertex"):
                return int(line.split()[2])
    raise AssertionError(f"{path} has no vertices")


def compare(path, how, fields, wanted):
    assert set(fields) == set(wanted), f"{path} by {how}: fields {sorted(fields)}, wanted {sorted(wanted)}"
    order, wanted_order = numpy.argsort(fields["id"]), numpy.argsort(wanted["id"])
    for name, values in wanted.items():
        found, expected = fields[name][order], values[wanted_order]
        assert found.shape == expected.shape, f"{path} by {how}: {name} is {found.shape}, wanted {expected.shape}"
        # nine digits tell two neighbouring single-precision numbers apart
        expected = expected.astype(found.dtype)
        assert numpy.array_equal(found, expected), f"{path} by {how}: {name} differs"


def main():
    fields = set(sys.argv[1].split(",")) - {""}
    counts = []
    for path in sys.argv[2:]:
        base = path.removesuffix(".vtkhdf")
        wanted = read_csv(base + ".csv")
        compare(path, "VTK", read_vtk(path), wanted)
        compare(path, "h5py", read_h5py(path), wanted)
        assert read_ply_count(base + ".ply") == len(wanted["id"]), base + ".ply"
        counts.append(len(wanted["id"]))
    assert len(counts) == 5 and counts[0] == 1200 and counts[-1] > counts[0], counts
    assert {"velocity", "density", "pressure", "material"} | fields <= set(wanted), sorted(wanted)
    assert fields == set(wanted) & {"stress", "shear_rate", "viscosity"}, sorted(wanted)
    if "stress" in fields:  # of a Newtonian fluid
        stress = read_vtk(path)["stress"]
        assert stress.shape[1] == 6 and abs(stress).max() > 0
        rate = numpy.sqrt(0.5 * ((stress[:, :3] ** 2).sum(axis=1) + 2 * (stress[:, 3:] ** 2).sum(axis=1)))
        assert numpy.allclose(rate, wanted["viscosity"] * wanted["shear_rate"], rtol=1e-4, atol=1e-6)
    print(f"{len(counts)} frames with {counts[0]} to {counts[-1]} particles, the same in VTK, h5py, CSV and PLY")


main()
