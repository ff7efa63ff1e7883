# The byte f6 is no UTF-8; line 2 was written in another encoding.
cd "$2" || exit 3
printf '// Sizes in metres.\n// Gr\303\266\303\237e, Gr\366\337e\nfn one() -> i32 { 1 }\n' >sizes.adz
"$1" check sizes.adz
#! error E0704 2:13
