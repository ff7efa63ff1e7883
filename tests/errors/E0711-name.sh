# Names of fields are those of members: ASCII. NumPy writes other ones in Latin-1 or, in version 3, in UTF-8.
cd "$2" || exit 3
echo 'struct P { x: f32 } entry fn f[n: nat](ps: [n]P) -> [n]f32 { map(|p| p.x, ps) }' >f.adz
header="{'descr': [('x', '<f4'), ('gr.e', '<f4')], 'fortran_order': False, 'shape': (0,)}"
head=$(printf '\\%03o' ${#header})
named=$(echo "$header" | sed 's/gr.e/gr\\366e/')
printf "\\223NUMPY\\001\\000$head\\000$named" >names.npy
"$1" run f.adz 'f(load("names.npy"))'
#! error E0711 1:3
