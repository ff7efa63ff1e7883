# The name of a project begins with a letter.
cd "$2" || exit 3
"$1" new 3d
#! error E0721
