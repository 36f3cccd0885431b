"""A compact way to build shader nodes."""

import bpy

# Blender 4.0 renamed sockets of the Principled BSDF.
_NEW_NAMES = {"Specular": "Specular IOR Level"}


class ShaderTree:
    """The nodes of a material or a world, emptied first. An input is a value, a socket or a node's first output."""

    def __init__(self, owner):
        owner.use_nodes = True
        self.nodes, self.links = owner.node_tree.nodes, owner.node_tree.links
        self.nodes.clear()

    def add(self, kind: str, inputs: dict | None = None, **settings) -> bpy.types.Node:
        node = self.nodes.new("ShaderNode" + kind)
        node.location = (220 * len(self.nodes), 0)
        for name, value in settings.items():
            setattr(node, name, value)
        for key, value in (inputs or {}).items():
            self.connect(node, key, value)
        return node

    def connect(self, node: bpy.types.Node, key, value) -> None:
        if isinstance(key, str) and key not in node.inputs:
            key = _NEW_NAMES[key]
        socket = node.inputs[key]
        if isinstance(value, bpy.types.NodeSocket):
            self.links.new(value, socket)
        elif isinstance(value, bpy.types.Node):
            self.links.new(value.outputs[0], socket)
        else:
            socket.default_value = (*value, 1.0) if socket.type == "RGBA" else value

    def math(self, operation: str, *values) -> bpy.types.NodeSocket:
        return self.add("Math", dict(enumerate(values)), operation=operation).outputs[0]

    def mix(self, factor, first, second) -> bpy.types.Node:
        return self.add("MixShader", {0: factor, 1: first, 2: second})
