#!/bin/sh
# demo.sh: the main job on real input. A photograph goes through compiled Adze programs; the results are pictures in build/.
set -e
cd "$(dirname "$0")/.."
photo=examples/data/hopper.png
run() { # EXPRESSION OUTPUT
    echo "adze run examples/image.adz '$1' -o $2"
    build/adze run examples/image.adz "$1" -o "$2"
}
run "unsharp(load(\"$photo\"))" build/sharp.png
run "blur_colour(load(\"$photo\"))" build/blurred.png
run "edges(grey(load(\"$photo\")))" build/edges.png
echo "The photograph $photo was read, and build/sharp.png, build/blurred.png and build/edges.png were written."
echo "The C that did it: build/adze build examples/image.adz -o build/image"
