# The link leads to itself.
cd "$2" || exit 3
ln -s loop.adz loop.adz
"$1" check loop.adz
#! error E0703
