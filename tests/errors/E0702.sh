# A folder is not a program.
cd "$2" || exit 3
mkdir folder.adz
"$1" check folder.adz
#! error E0702
