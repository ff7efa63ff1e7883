# There is no such file.
cd "$2" || exit 3
"$1" check missing.adz
#! error E0701
