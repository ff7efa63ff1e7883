# Each field has one name; NumPy may give it a title besides.
cd "$2" || exit 3
echo 'struct P { x: f32 } entry fn f[n: nat](ps: [n]P) -> [n]f32 { map(|p| p.x, ps) }' >f.adz
header="{'descr': [(('a title', 'x'), '<f4')], 'fortran_order': False, 'shape': (0,)}"
printf "$(printf '\\223NUMPY\\001\\000\\%03o\\000' ${#header})$header" >titles.npy
"$1" run f.adz 'f(load("titles.npy"))'
#! error E0711 1:3
