"""c_names.py C_WORD_DEF PRIM_DEF FOLDER: writes two programs.

c_names.adz      names that C, C++, their libraries or generated code have a use for, wherever a program
                 has names: entries, functions, parameters, sizes, members, options, variables
c_functions.adz  calls of C functions where parameters have their names
"""

import contextlib
import pathlib
import re
import sys

# Words of Adze itself are no names there.
ADZE = "bool break const continue else enum extern false for if return struct true while".split()

LIBRARIES = """
main malloc free memcpy memset calloc realloc exit abort abs div rand random printf fputs exp exp2 log sin fmaf remainder frexp gamma y0 j1
signbit isnan isinf fpclassify NAN INFINITY NULL HUGE_VAL M_PI EOF FILE stderr stdout errno assert offsetof SIZE_MAX RAND_MAX BUFSIZ SEEK_SET
PRId64 INT32_MAX UINT64_C FLT_MAX int64_t uint8_t size_t ptrdiff_t max_align_t value_t linux unix index omp_get_max_threads I complex __FILE__ __x _X
defined pragma
""".split()

GENERATED = """
status workspace out message kept helpers alloc alloc_workspace workspace_free workspace_kept release div_i32 div_i64 rem_i64 part_of adze adze_alloc adze_f thread tasks f16_to_f32
field call_f f_message f_in f_workspace f_explain done next leave1 again
""".split()

AT_ONCE = 20  # names in one entry

# Two loops; the variable is the way out of the outer one.
LEFT = """    for i in range(0, n) {{
        let {w} = break;
        for j in range(0, i) {{
            if xs[j] > 9 {{ {w}() }}
            sum += xs[j];
        }}
        sum += 1;
    }}"""


def lines(words, line, between="\n"):
    return between.join(line.format(w=w) for w in words)


def with_names(k, words):
    """Entries and types number k, with these names."""
    print(f"struct Members{k} {{\n{lines(words, '    {w}: f32,')}\n}}")
    print(f"#[c_layout]\nstruct Record{k} {{\n{lines(words, '    {w}: f32,')}\n}}")
    print(f"enum Options{k} {{\n{lines(words, '    {w}(f32),')}\n}}")
    total = " + ".join(words)
    print(f"entry fn parameters{k}[n: nat]({lines(words, '{w}: [n]f32', ', ')}) -> [n]f32 {{")
    print(f"    generate(n, |i| {lines(words, '{w}[i]', ' + ')})\n}}")
    print(f"entry fn scalars{k}({lines(words, '{w}: f32', ', ')}) -> f32 {{ {total} }}")
    for start in range(0, len(words), 6):
        some = words[start : start + 6]
        print(f"entry fn sizes{k}_{start}[{', '.join(some)}: nat](xs: [{some[0]}]f32) -> f32 {{")
        print(f"    reduce(+, f32({' + '.join(some)}), xs)\n}}")
    print(f"entry fn members{k}(m: Members{k}) -> Members{k} {{ m }}")
    print(f"entry fn records{k}[n: nat](rs: [n]Record{k}) -> [n]Record{k} {{ reverse(rs) }}")
    print(f"entry fn options{k}(o: Options{k}) -> f32 {{\n    match o {{")
    print(lines(words, f"        Options{k}.{{w}}({{w}}) => {{w}},") + "\n    }\n}")
    print(f"entry fn locals{k}[n: nat](xs: [n]f32) -> f32 {{\n{lines(words, '    let mut {w} = 1.0;')}")
    print(f"    for i in range(0, n) {{\n{lines(words, '        {w} = {w} * 0.5 + xs[i];')}\n    }}")
    print(f"    print({', '.join(words)});\n    {total}\n}}")
    print(f"entry fn functions{k}(x: i32) -> i32 {{")
    print(lines(words, "    fn {w}(i: i32) -> i32 {{ if i <= 1 {{ i }} else {{ {w}(i - 1) + {w}(i / 2) }} }}"))
    print(f"    {lines(words, '{w}(x & 7)', ' + ')}\n}}")
    print(f"entry fn exits{k}[n: nat](xs: [n]i32) -> i32 {{\n    let mut sum = 0;")
    print(lines(words, LEFT) + "\n    sum\n}")


def with_functions(functions):
    """An entry that calls these, of so many operands, on f32 and f64, where their names in C are those of parameters."""
    for t in ("f32", "f64"):
        print(f"fn called_{t}(x: {t}) -> {t} {{ {' + '.join(f + '(' + ', '.join('x' * n) + ')' for f, n in functions)} }}")
    names = [f + end for f, _ in functions + [("fabs", 1), ("fmod", 2)] for end in ("", "f")]
    print(f"entry fn calls({lines(names, '{w}: f32', ', ')}) -> f64 {{")
    print(f"    f64(called_f32({' + '.join(names)})) + called_f64(f64({names[0]}))\n}}")


def rows(table, pattern):
    return re.findall(pattern, pathlib.Path(table).read_text(), re.M)


def main(words, operators, folder):
    words = rows(words, r'^C(?:PP)?_WORD\("(\w+)"\)')
    names = [w for w in words if w not in ADZE] + LIBRARIES + GENERATED
    with open(f"{folder}/c_names.adz", "w") as out, contextlib.redirect_stdout(out):
        for k, start in enumerate(range(0, len(names), AT_ONCE)):
            with_names(k, names[start : start + AT_ONCE])
        for w in names:
            print(f"entry fn {w}(x: i32, {w}: i32) -> i32 {{ if x > 3 {{ {w} / (x + 1) }} else {{ {w} }} }}")
    functions = rows(operators, r'^PRIM\(\w+, *"(\w+)", *(\d), *ON_FLOAT,')
    with open(f"{folder}/c_functions.adz", "w") as out, contextlib.redirect_stdout(out):
        with_functions([(f, int(operands)) for f, operands in functions])


main(*sys.argv[1:])
