# There is a folder of this name already.
cd "$2" || exit 3
mkdir blur
"$1" new blur
#! error E0707
