# awk -v from='| game |' [-v across=1] -f table.awk PAGE.md: a table of a page as CSV, to be plotted: the first one whose head begins with
# `from`. Of a cell with several numbers the first one is printed, and nothing of one without a number. Names of columns become names of
# fields; of equal ones the second ends in _2. With across=1 rows and columns change places.

function field(text) {
    text = tolower(text)
    gsub(/[^a-z0-9]+/, "_", text)
    gsub(/^_+|_+$/, "", text)
    if (text !~ /^[a-z]/) text = "x" text
    return seen[text]++ ? text "_" seen[text] : text
}

function number(text) {
    return match(text, /-?[0-9]+(\.[0-9]+)?/) ? substr(text, RSTART, RLENGTH) : ""
}

function line(i, length_of_line,    j, head, text) {
    for (j = 1; j <= length_of_line; j++) {
        head = i == 1 || (j == 1 && !across)
        text = text (j > 1 ? "," : "") (head ? field(at(i, j)) : number(at(i, j)))
    }
    print text
}

function at(i, j) { return across ? cell[j, i] : cell[i, j] }

!rows && index($0, from) != 1 { next }
/^\|/ && !/^\|-/ && !done {
    rows++
    columns = split($0, part, " *[|] *") - 2
    for (j = 1; j <= columns; j++) cell[rows, j] = part[j + 1]
    next
}
rows && !/^\|/ { done = 1 }

END {
    if (!rows) {
        print "table.awk: no table begins with " from > "/dev/stderr"
        exit 1
    }
    for (i = 1; i <= (across ? columns : rows); i++) line(i, across ? rows : columns)
}
