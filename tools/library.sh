#!/bin/sh
# library.sh: prints docs/library.md, the items of each module of the library, from the comments in lib/.
set -e
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../lib"

# The comment at the head of a file, and of each item with a comment of its own the signature and the
# first sentence of the comment. Rules are listed without a comment, too: their names say what they do.
# shellcheck disable=SC2016  # awk's own $0
items='
function sentence(text) {
    if (match(text, /[a-z0-9)\]`][.]( |$)/)) return substr(text, 1, RSTART + 1)
    return text
}
function signature(text) {
    sub(/ *{.*$/, "", text)
    if (text ~ /^(rule|contract|reassociate) /) { # the parameters of a rule are its left side
        sub(/^(contract |reassociate )?rule /, "", text)
        sub(/[[(].*$/, "", text)
        return text
    }
    sub(/ = .*$/, "", text)
    sub(/ =$/, "", text)
    sub(/ where .*$/, "", text)
    sub(/^(pattern|strategy|schedule|const) /, "", text)
    sub(/^(simd\[[a-z]*\] )?fn (@ |@\([^)]*\) )?/, "", text)
    gsub(/\( /, "(", text)
    gsub(/, \)/, ")", text)
    return text
}
FNR == 1 { head = 1 }
head && /^\/\/($|[^\/])/ {
    if ($0 != "//") {
        intro = intro (intro ? " " : "") substr($0, 4)
        next
    }
}
head {
    head = 0
    if (intro) print "\n" intro
    print ""
}
/^\/\/\/$/ { example = doc != ""; next }
/^\/\/\/ / && example { next }
/^\/\/\/ / { doc = doc (doc ? " " : "") substr($0, 5); next }
/^pub import / { print "* `" $3 "` is passed on"; next }
/^#\[/ { next }
(doc && /^[a-z]/) || /^(contract |reassociate )?rule / { item = $0 }
item && !/^[a-z]/ { line = $0; sub(/^ */, "", line); item = item " " line }
item && (/{/ || / =/ || /^}/ || !/[,(]$/) {
    print "* `" signature(item) "`" (doc ? ": " sentence(doc) : "")
    example = 0
    doc = item = ""
}
/^[^\/]/ && !item { doc = ""; example = 0 }
'

cat <<'END'
# The library

The items of each module of `lib/std/`, one line each: the signature and the first sentence of the comment. The array is the
last argument of most functions, so that pipes read from left to right.

## Without an import

These patterns and strategies are in scope everywhere, and so are operators and the scalar functions such as `abs`, `min`, `max`, `sqrt`
and `exp`; [Patterns](language.md#patterns) describes the patterns.

END
awk "$items" prelude.adz | grep '^\*'
for module in std/*.adz; do
    printf '\n## std.%s\n' "$(basename "$module" .adz)"
    awk "$items" "$module"
done
