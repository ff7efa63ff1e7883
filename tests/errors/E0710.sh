# This "compiler" writes text instead of machine code.
cd "$2" || exit 3
cat >cc.sh <<'END'
#!/bin/sh
while [ $# -gt 0 ]; do
    if [ "${1}" = -o ]; then echo text >"${2}"; fi
    shift
done
END
chmod +x cc.sh
echo 'entry fn one() -> i32 { 1 }' >one.adz
"$1" run --no-cache --cc ./cc.sh one.adz 'one()'
#! error E0710
