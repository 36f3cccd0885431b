#!/usr/bin/env bash
# The Khronos glTF validator finds no errors or warnings in our files. tools/install_deps installs it.
# ctest: timeout 300
set -euo pipefail

modules=""
for folder in "$DOLLOP_SOURCE/build/npm/node_modules" "$(npm root -g 2> /dev/null || true)"; do
    if [[ -z $modules && -d $folder/gltf-validator ]]; then modules=$folder; fi
done
if [[ -z $modules ]] || ! command -v node > /dev/null; then
    echo "skipped: Node.js with gltf-validator is not installed; tools/install_deps installs both"
    exit 77
fi

cat > scene.yaml <<'YAML'
world: {spacing: 4 cm}
method: conformation
run: {time_step: 5 ms, frame_rate: 40 fps, frames: 1}
materials:
  oil: {density: 900, viscosity: 1}
  water: {density: 1000, viscosity: 0.1}
fluids:
  - {material: water, shape: box, position: [20 cm, 20 cm, 20 cm], size: [40 cm, 40 cm, 40 cm]}
  - {material: oil, shape: sphere, position: [1 m, 20 cm, 20 cm], radius: 20 cm}
YAML
sed -e '/shape:/d' -e 's/^fluids:/emitters:/' scene.yaml > nothing.yaml
echo '  - {material: oil, radius: 10 cm, speed: 1, start: 1 s}' >> nothing.yaml

"$DOLLOP" run scene.yaml -o out --quiet
"$DOLLOP" run nothing.yaml -o nothing --quiet
"$DOLLOP" surface out nothing -f glb --quiet
"$DOLLOP" surface out/frame_000001.vtkhdf -f glb -o all --fields all --quiet
"$DOLLOP" surface out/frame_000001.vtkhdf -f glb -o none --fields none --separate --quiet
node "$DOLLOP_SOURCE/tests/cli/gltf_validate.js" "$modules" {out,nothing,all,none}/surface*.glb
