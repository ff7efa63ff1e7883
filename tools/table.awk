# awk -v from='| sgemm |' [-v across=1] -f table.awk PAGE.md: a table of a page as CSV, to be plotted: the first one whose head begins with
# `from`. Of a cell with several numbers the first one is printed, and nothing of one without a number. Names of columns become names of
# fields. With across=1 rows and columns change places: the first row has the names that the lines of the table begin with.

function field(text) {
    text = tolower(text)
    gsub(/[^a-z0-9]+/, "_", text)
    gsub(/^_+|_+$/, "", text)
    return text ~ /^[a-z]/ ? text : text == "" ? "x" : "x" text
}

function number(text) {
    return match(text, /-?[0-9]+(\.[0-9]+)?/) ? substr(text, RSTART, RLENGTH) : ""
}

function row(r,    c, line) {
    for (c = 1; c <= columns; c++)
        line = line (c > 1 ? "," : "") (r == 1 || c == 1 ? field(cell[r, c]) : number(cell[r, c]))
    print line
}

function column(c,    r, line) {
    for (r = 1; r <= rows; r++)
        line = line (r > 1 ? "," : "") (c == 1 ? field(cell[r, c]) : number(cell[r, c]))
    print line
}

!rows && index($0, from) != 1 { next }
/^\|/ && !/^\|-/ && !done {
    rows++
    columns = split($0, part, " *[|] *") - 2
    for (c = 1; c <= columns; c++) cell[rows, c] = part[c + 1]
    next
}
rows && !/^\|/ { done = 1 }

END {
    if (!rows) {
        print "table.awk: no table begins with " from > "/dev/stderr"
        exit 1
    }
    if (across) for (c = 1; c <= columns; c++) column(c)
    else for (r = 1; r <= rows; r++) row(r)
}
