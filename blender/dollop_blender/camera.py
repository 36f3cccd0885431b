"""The camera: one from the record, or one that frames all fluid of the sequence."""

import math

import bpy
import numpy as np
from mathutils import Vector

from .extent import Extent
from .record import Camera

ANGLE = 0.42                                  # vertical field of view, rad: a portrait lens, little perspective
DIRECTION = (-0.42, -0.85, 0.36)              # from the fluid to the camera: in front, a little left, a little above
MARGIN = 1.25                                 # size of the picture over the size of its contents


def framed_camera(extent: Extent, aspect: float) -> Camera:
    """Looks along DIRECTION and centres all points of EXTENT in a picture of width / height ASPECT."""
    back = np.array(Vector(DIRECTION).normalized())
    right = np.cross((0, 0, 1), back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    tangents = math.tan(ANGLE / 2) / MARGIN * np.array([aspect, 1.0])
    target, distance = extent.center, 0.0
    for _ in range(4):                        # perspective moves the centre slightly; this converges quickly
        seen = (extent.points - target) @ np.stack([right, up, back]).T
        distance = (seen[:, 2:] + np.abs(seen[:, :2]) / tangents).max()
        across = seen[:, :2] / (distance - seen[:, 2:])
        middle = (across.min(axis=0) + across.max(axis=0)) / 2 * distance
        target = target + middle[0] * right + middle[1] * up
    return Camera("framed", tuple(target + back * distance), tuple(target), ANGLE)


def place_camera(scene: bpy.types.Scene, collection: bpy.types.Collection, camera: Camera) -> bpy.types.Object:
    data = bpy.data.cameras.new("dollop camera")
    data.sensor_fit = "VERTICAL"
    data.angle = camera.angle
    obj = bpy.data.objects.new("dollop camera", data)
    position, target = Vector(camera.position), Vector(camera.target)
    distance = (target - position).length
    data.clip_start, data.clip_end = distance / 100, distance * 100
    obj.location = position
    obj.rotation_euler = (target - position).to_track_quat("-Z", "Y").to_euler()
    collection.objects.link(obj)
    scene.camera = obj
    return obj
