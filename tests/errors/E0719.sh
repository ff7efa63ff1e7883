# There is no error with this code.
cd "$2" || exit 3
"$1" errors E9999
#! error E0719
