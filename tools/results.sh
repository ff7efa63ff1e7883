#!/bin/sh
# results.sh BENCH.json FOLDER: plots of a run of the benchmarks (bench/run.sh writes build/bench.json): for each benchmark a plot of the
# ratios peer / ours with their extremes, in the order of the file, and a table of all in FOLDER/README.md. ADZE is the compiler.
set -e
json=$1 folder=$2
adze=${ADZE:-adze}
[ -s "$json" ] || { echo "results.sh: there is no $json: make bench writes it" >&2; exit 1; }
mkdir -p "$folder"
rm -f "$folder"/*.csv "$folder"/*.svg

# The records, one a line: name, peer, threads, size, ratio, least and greatest ratio.
awk -v tab='\t' '
    function value(key,    rest) {
        if (!match($0, "\"" key "\": ")) return ""
        rest = substr($0, RSTART + RLENGTH)
        if (rest ~ /^"/) { rest = substr(rest, 2); sub(/".*/, "", rest) } else sub(/[,}].*/, "", rest)
        return rest
    }
    /"name": / { print value("name") tab value("peer") tab value("threads") tab value("size") tab value("ratio") tab value("ratio_min") tab value("ratio_max") }
' "$json" >"$folder/records"

cat >"$folder/plot.adz" <<'END'
struct Ratio { case: f64, ratio: f64, least: f64, greatest: f64, as_fast: f64 }

fn ratios[n: nat](rows: [n]Ratio) -> [n]Ratio {
    rows
}
END
awk -F'\t' -v folder="$folder" '
    function file(name) { gsub(/[^A-Za-z0-9_.-]/, "_", name); return folder "/" name ".csv" }
    {
        to = file($1)
        if (!($1 in count)) print "case,ratio,least,greatest,as_fast" >to
        print ++count[$1] "," $5 "," $6 "," $7 ",1" >to
    }
' "$folder/records"
{
    echo "# Results of this machine"
    echo
    echo "Ratios of times, peer / Adze: medians, and the extremes. Above 1 Adze is faster."
    for csv in "$folder"/*.csv; do
        name=$(basename "$csv" .csv)
        "$adze" run "$folder/plot.adz" "ratios(load(\"$csv\"))" -o "$folder/$name.svg" --plot points >&2
        printf '\n## %s\n\n![ratios of %s](%s.svg)\n\n| case | peer | threads | size | ratio |\n|---|---|---|---|---|\n' "$name" "$name" "$name"
        awk -F'\t' -v name="$name" '
            { file = $1; gsub(/[^A-Za-z0-9_.-]/, "_", file) }
            file == name { printf "| %d | %s | %s | %s | %.2f (%.2f to %.2f) |\n", ++row, $2, $3, $4, $5, $6, $7 }
        ' "$folder/records"
    done
} >"$folder/README.md.tmp"
mv "$folder/README.md.tmp" "$folder/README.md"
rm -f "$folder/records" "$folder/plot.adz"
echo "$folder/README.md"
