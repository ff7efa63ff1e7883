#!/bin/sh
# registers.sh ADZE: NVIDIA's compiler takes the kernels without a warning, and gives them as many registers, as much shared memory and
# stack as registers.txt says. Those of bench/shine, with ALL=1 all; BLESS=1 ALL=1 writes the table. Needs no device.
. "$(dirname "$0")/../common.sh"
python=$(sh "$root/tests/venv.sh" device) || exit 2

# The rows of the programs of which some are in the file FOUND.
of_the_same() { # FOUND
    cut -d' ' -f1 "$1" | sort -u | while read -r name; do grep "^$name " "$here/registers.txt"; done
}

check "the kernels" sh -c '"$1" -B "$2/registers.py" "$3" ${ALL:+all} >"$4/found"' sh "$python" "$here" "$adze" "$scratch"
[ -n "$BLESS" ] && [ -n "$ALL" ] && cp "$scratch/found" "$here/registers.txt"
of_the_same "$scratch/found" | sort >"$scratch/wanted"
sort "$scratch/found" >"$scratch/sorted"
check "there are some" test -s "$scratch/found"
check "registers.txt" diff "$scratch/wanted" "$scratch/sorted"
report registers
