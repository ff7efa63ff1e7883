#!/bin/sh
# run.sh ADZE: the files in editors/. Vim, Neovim, Emacs, node and tree-sitter are tested when they are there.
if [ $# != 1 ] || [ ! -x "$1" ]; then
    echo "usage: run.sh ADZE" >&2
    exit 2
fi
EDITOR_ADZE=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")" || exit 2
root=$(cd ../.. && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
EDITOR_OUT=$out
EDITOR_RESULT=$out/result
XDG_CONFIG_HOME=$out
XDG_DATA_HOME=$out
XDG_STATE_HOME=$out
PYTHONDONTWRITEBYTECODE=1
export EDITOR_ADZE EDITOR_OUT EDITOR_RESULT XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME PYTHONDONTWRITEBYTECODE
failed=0

# Runs a command; it has failed, too, if it writes to $EDITOR_RESULT.
check() { # NAME COMMAND...
    name=$1
    shift
    : >"$EDITOR_RESULT"
    "$@" >"$out/output" 2>&1
    status=$?
    grep -E '^(tree-sitter|TextMate|Pygments): ' "$out/output"
    [ $status = 0 ] && ! [ -s "$EDITOR_RESULT" ] && return
    echo "editors: $name failed" >&2
    head -n 30 "$out/output" "$EDITOR_RESULT" >&2
    failed=1
}

# Whether a program is there.
has() {
    command -v "$1" >/dev/null 2>&1 && return
    echo "editors: $1 is not installed: $2 is not tested"
    return 1
}

# The tests write to a file what failed, and touch $out/ran at their end.
editor() { # NAME COMMAND...
    rm -f "$out/ran"
    check "$@" </dev/null
    [ -e "$out/ran" ] && return
    echo "editors: $1 did not run to its end" >&2
    failed=1
}

python=$(sh "$root/tests/venv.sh" editors) || exit 2

HOME=$out # no settings of the user
check "words" "$python" "$root/editors/words.py" --check
check "the sample" "$EDITOR_ADZE" check sample.adz
check "the layout of the sample" "$EDITOR_ADZE" fmt --check sample.adz
mkdir -p "$root/build/editors"
check "tree-sitter" "$python" tree_sitter_test.py "$root/build/editors"
check "TextMate" "$python" textmate_test.py
check "Pygments" "$python" pygments_test.py
if has node "the code of the extension for VS Code"; then
    check "the extension for VS Code" node vscode_test.js
fi
if has tree-sitter "whether src/parser.c is that of grammar.js"; then
    mkdir "$out/grammar"
    cp "$root/editors/tree-sitter-adze/grammar.js" "$out/grammar"
    # shellcheck disable=SC2016 # expanded by the inner shell
    check "generation" sh -c 'cd "$1" && tree-sitter generate --abi 14 && cmp src/grammar.json "$2"' sh \
        "$out/grammar" "$root/editors/tree-sitter-adze/src/grammar.json"
fi
add="set rtp^=$root/editors/nvim"
if has vim "Vim" && vim --version | grep -q '+eval' && vim --version | grep -q '+syntax'; then
    editor "Vim" timeout 60 vim -e -s -u NONE -i NONE -N --cmd "$add" -S vim_test.vim
fi
if has nvim "Neovim"; then
    editor "Neovim" timeout 60 nvim --headless -u NONE -i NONE --cmd "$add" -S vim_test.vim
    editor "Neovim with Lua" timeout 60 nvim --headless -u NONE -i NONE --cmd "$add" -c 'luafile nvim_test.lua'
fi
if has emacs "Emacs"; then
    editor "Emacs" timeout 60 emacs -Q --batch -l emacs_test.el
    if emacs -Q --batch --eval "(kill-emacs (if (and (fboundp 'treesit-available-p) (treesit-available-p)) 0 1))" 2>/dev/null; then
        "${CC:-cc}" -O1 -shared -fPIC "-I$root/editors/tree-sitter-adze/src" -o "$out/libtree-sitter-adze.so" "$root/editors/tree-sitter-adze/src/parser.c"
        editor "Emacs with tree-sitter" timeout 60 emacs -Q --batch -l emacs_ts_test.el
    else
        echo "editors: without an Emacs that has tree-sitter, adze-ts-mode is not tested"
    fi
fi
[ $failed = 0 ] && echo "editors: passed"
exit $failed
