// The formatter: layouts as text; and on random programs with random comments: the tree stays the
// same, all comments stay, and formatting again changes nothing.
#include "util.h"

#include <stdio.h>

static const char *formatted(Session *cx, const char *text, Module **m)
{
    Text out = text_new(cx->arena);
    *m = parse_text(cx, text, strlen(text));
    if (cx->errors) fprintf(stderr, "%s in:\n%s\n", errors_of(cx), text);
    assert_int_equal(cx->errors, 0);
    format_module(cx, &out, *m);
    return text_get(&out);
}

static bool same_comments(const Module *a, const Module *b)
{
    if (a->comments.len != b->comments.len) return false;
    for (int i = 0; i < a->comments.len; i++)
        if (strcmp(a->comments.at[i].text, b->comments.at[i].text) != 0) return false;
    return true;
}

// Checks what must hold for every program; gives its formatted text.
static const char *check_format(Session *cx, const char *text)
{
    Module *m, *again;
    const char *once = formatted(cx, text, &m), *twice = formatted(cx, once, &again);
    bool good = module_equal(m, again) && same_comments(m, again) && strcmp(once, twice) == 0;
    if (!good) fprintf(stderr, "--- text\n%s\n--- once\n%s\n--- twice\n%s\n", text, once, twice);
    assert_true(good);
    return once;
}

static void assert_format(const char *text, const char *expected)
{
    Session *cx = session_new();
    assert_string_equal(check_format(cx, text), expected);
    session_delete(cx);
}

static void test_items(void **state)
{
    (void)state;
    assert_format("import a.b(c,d)\nimport e\n\n\n\nimport f",
                  "import a.b (c, d)\nimport e\n\nimport f\n");
    assert_format("pub  import a.b(c)\npub import e", "pub import a.b (c)\npub import e\n");
    assert_format("const  N:nat=3;const x=0x1_F", "const N: nat = 3\nconst x = 0x1_F\n");
    assert_format("type T[n m:nat]=[ n ] [m,2]f32", "type T[n, m: nat] = [n][m, 2]f32\n");
    assert_format("struct P[t:data]{x:t,y:t}struct E{}",
                  "struct P[t: data] { x: t, y: t }\n\nstruct E {}\n");
    assert_format("struct P {\n///the x\n///\nx: f32, y: f32 }",
                  "struct P {\n    /// the x\n    ///\n    x: f32,\n    y: f32,\n}\n");
    assert_format("/// doc\n///   two\nentry fn f(x:f32)->f32 where a>b,c{x}",
                  "/// doc\n///   two\nentry fn f(x: f32) -> f32 where a > b, c {\n    x\n}\n");
    assert_format("pattern f[n:nat,m:nat,t:data]()->t;\npattern g()->f32",
                  "pattern f[n, m: nat, t: data]() -> t\npattern g() -> f32\n");
    assert_format("bench \"a\"{f(1)}bench\"b\" { let x=1; f(x) }",
                  "bench \"a\" { f(1) }\nbench \"b\" {\n    let x = 1;\n    f(x)\n}\n");
    assert_format("fn f(bench: i32) -> i32 { let b = bench; b }",
                  "fn f(bench: i32) -> i32 {\n    let b = bench;\n    b\n}\n");
    assert_format("test \"a\"{x==1}test \"b\" { let x=1; x==1 }",
                  "test \"a\" { x == 1 }\ntest \"b\" {\n    let x = 1;\n    x == 1\n}\n");
    assert_format("// a\n\n#! [explicit_memory]\nconst x=1",
                  "// a\n\n#![explicit_memory]\n\nconst x = 1\n");
    assert_format("#[ c_layout ]struct P{x:f32}", "#[c_layout]\nstruct P { x: f32 }\n");
    assert_format("/// doc\n#[c_layout] // a\n// b\nstruct P {x:f32}\nconst y=1",
                  "/// doc\n#[c_layout] // a\n// b\nstruct P { x: f32 }\n\nconst y = 1\n");
    assert_format(
        "entry fn f[n:nat](a:[ n ] f32   strided,strided:[n]f32)->([n]f32 strided,i32){x}",
        "entry fn f[n: nat](a: [n]f32 strided, strided: [n]f32) -> ([n]f32 strided, i32) "
        "{\n    x\n}\n");
    assert_format("", "");
    assert_format("\n\n// only\n\n\n// this", "// only\n\n// this\n");
}

static void test_long_items(void **state)
{
    (void)state;
    assert_format("fn convolve_separable[n, m, k: nat](original_image: [n][m]f32, kernel: [k]f32, "
                  "weight: f32) -> "
                  "[n][m]f32 { image }",
                  "fn convolve_separable[n, m, k: nat](\n    original_image: [n][m]f32,\n    "
                  "kernel: [k]f32,\n"
                  "    weight: f32,\n) -> [n][m]f32 {\n    image\n}\n");
    assert_format("fn convolve_separable[n, m, k: nat](image: [n][m]f32) -> [n][m]f32 where n % 4 "
                  "== 0, m % 4 == 0, "
                  "k > 0 { image }",
                  "fn convolve_separable[n, m, k: nat](image: [n][m]f32) -> [n][m]f32\n"
                  "    where n % 4 == 0, m % 4 == 0, k > 0 {\n    image\n}\n");
    assert_format(
        "import standard.library (aaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, "
        "cccccccccccccccccc)",
        "import standard.library (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaa,\n"
        "    bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,\n    cccccccccccccccccc,\n)\n");
}

// The layout of the value of a function.
static void assert_value(const char *value, const char *expected)
{
    Session *cx = session_new();
    char *text = arena_printf(cx->arena, "fn f() -> f32 {\n%s\n}", value);
    char *laid_out = arena_printf(cx->arena, "fn f() -> f32 {\n%s\n}\n", expected);
    assert_string_equal(check_format(cx, text), laid_out);
    session_delete(cx);
}

static void test_values(void **state)
{
    (void)state;
    assert_value("let  x:f32=1.50e-3 ;\n\n\n\nlet y=x;x+y*-2",
                 "    let x: f32 = 1.50e-3;\n\n    let y = x;\n    x + y * -2");
    assert_value("a|>map(|x|x+1)|>reduce(+,0)", "    a |> map(|x| x + 1) |> reduce(+, 0)");
    assert_value("if a{b}else if c{d}else{e}", "    if a { b } else if c { d } else { e }");
    assert_value("(a,)", "    (a,)");
    assert_value("c>='a'&&c!= '\\''||s==\"it's\\n\"",
                 "    c >= 'a' && c != '\\'' || s == \"it's\\n\"");
    assert_value(
        "let [a,mut b,(_,c)]=v;let P{x:[y],z,mut w , ..}=p;let Q{..}=q;let R{}=r;",
        "    let [a, mut b, (_, c)] = v;\n    let P { x: [y], z, mut w, .. } = p;\n    let "
        "Q { .. } = q;\n    let R {} = r;");
    assert_value("map(|[x,y],P{z:(a,_)}|x)", "    map(|[x, y], P { z: (a, _) }| x)");
    assert_value("fn f[n:nat]( @x:t)->t where n>0{x} let a=f(1);/// of g\nfn g(){} g()",
                 "    fn f[n: nat](@ x: t) -> t where n > 0 {\n        x\n    }\n    let a = f(1); "
                 "/// of g\n    fn g() {}\n    g()");
    assert_value("[.. v,3, ..w ]as[ n ] [.. s]f32", "    [..v, 3, ..w] as [n][..s]f32");
    assert_value("a [ 1 .. ] . 0", "    a[1..].0");
    assert_value("a |> map(|x| { let y = x; y }) |> f",
                 "    a\n        |> map(|x| {\n            let y = x;\n            y\n        })\n "
                 "       |> f");
    assert_value("if a { let b = 1; b } else { c }",
                 "    if a {\n        let b = 1;\n        b\n    } else {\n        c\n    }");
}

static void test_long_values(void **state)
{
    (void)state;
    assert_value("image |> slide[3, 1] |> map(transpose) |> map(slide[3, 1]) |> "
                 "map(map(transpose)) |> map(map(sum))",
                 "    image\n        |> slide[3, 1]\n        |> map(transpose)\n        |> "
                 "map(slide[3, 1])\n"
                 "        |> map(map(transpose))\n        |> map(map(sum))");
    assert_value("let result = first_function_name(second_function_name(argument_one, "
                 "argument_two), argument_three_x);\nr",
                 "    let result = first_function_name(\n        "
                 "second_function_name(argument_one, argument_two),\n"
                 "        argument_three_x,\n    );\n    r");
    assert_value("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb + "
                 "cccccccccccccccccccccccc - ddddddddd * e",
                 "    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
                 "        + cccccccccccccccccccccccc\n        - ddddddddd * e");
    assert_value("[100000000, 100000000, 100000000, 100000000, 100000000, 100000000, 100000000, "
                 "100000000, 100000000]",
                 "    [\n        100000000, 100000000, 100000000, 100000000, 100000000, 100000000, "
                 "100000000, 100000000,\n"
                 "        100000000,\n    ]");
    assert_value("Particle { position: (aaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbb, "
                 "ccccccccccccccc), mass: mmmmmmmmmm }",
                 "    Particle {\n        position: (aaaaaaaaaaaaaaaaaaaaaa, "
                 "bbbbbbbbbbbbbbbbbbbbb, ccccccccccccccc),\n"
                 "        mass: mmmmmmmmmm,\n    }");
}

static void test_statements(void **state)
{
    (void)state;
    assert_value("let  mut x=1;x+=2 ;f( );*p=x;a[i].y=- 1;",
                 "    let mut x = 1;\n    x += 2;\n    f();\n    *p = x;\n    a[i].y = -1;");
    assert_value("( a,b )=(b , a);((a[i],b),*p)=f() ;",
                 "    (a, b) = (b, a);\n    ((a[i], b), *p) = f();");
    assert_value("while a<b{f()}", "    while a < b {\n        f()\n    }");
    assert_value("loop{}", "    loop {}");
    assert_value("for i,(a,_) in range(0,n){x=1;}; -y",
                 "    for i, (a, _) in range(0, n) {\n        x = 1;\n    }\n    -y");
    assert_value("with x:f32 in f(a){x};", "    with x: f32 in f(a) {\n        x\n    };");
    assert_value("if a{b()} if a{b();}else{}",
                 "    if a { b() }\n    if a {\n        b();\n    } else {}");
    assert_value("unchecked{a[i]}", "    unchecked { a[i] }");
    assert_value("scalar{a}", "    scalar { a }");
    assert_value("scalar|m|{any(m)}", "    scalar |m| { any(m) }");
    assert_value("match a{0=>b,-1 if c=>{d}S.A=>{e();} S.B((x,_),mut y)=>f(x),}",
                 "    match a {\n        0 => b,\n        -1 if c => { d }\n        S.A => {\n"
                 "            e();\n        }\n        S.B((x, _), mut y) => f(x),\n    }");
    assert_value("match a{}", "    match a {}");
    assert_value("f(& a,&mut b,* c,? d,$ e,@@ g(1),& & h)",
                 "    f(&a, &mut b, *c, ?d, $e, @@g(1), & &h)");
    assert_value("x as & mut shared[n]f32 as fn()->!", "    x as &mut shared [n]f32 as fn() -> !");
    assert_value("each(xs,|x|{s+=x;})", "    each(xs, |x| {\n        s += x;\n    })");
    assert_value("each(xs, |x| match x { 0 => a, _ => b })",
                 "    each(xs, |x| match x {\n        0 => a,\n        _ => b,\n    })");
    assert_format("fn @(?n)f(@ x:f32,@( ?y ) y:i32)->!{}fn g()->(){} fn @ h(){f()}",
                  "fn @(?n) f(@ x: f32, @(?y) y: i32) -> ! {}\n\nfn g() {}\n\n"
                  "fn @ h() {\n    f()\n}\n");
    assert_format("extern fn f(x:&[n]f32)->f32;extern fn g();\n\nextern fn h()",
                  "extern fn f(x: &[n]f32) -> f32\nextern fn g()\n\nextern fn h()\n");
    assert_format("enum S{A,B(f32,[n]f32)}enum T[n:nat]{}",
                  "enum S { A, B(f32, [n]f32) }\n\nenum T[n: nat] {}\n");
    assert_format("enum S{A,\n\n// b\nB(f32) // c\n}",
                  "enum S {\n    A,\n\n    // b\n    B(f32), // c\n}\n");
    assert_format("enum S{\n///a\nA,\nB}", "enum S {\n    /// a\n    A,\n    B,\n}\n");
}

static void test_with_loops(void **state)
{
    (void)state;
    assert_value("with([1 ,1]<=iv<[n-1,m-1]){0.25*a[iv]}modarray  a",
                 "    with ([1, 1] <= iv < [n - 1, m - 1]) { 0.25 * a[iv] } modarray a");
    assert_value("with(.<[i,_]step[2,4]width w){x}( genarray( s,0 ) ,modarray (a))",
                 "    with (. < [i, _] step [2, 4] width w) { x } (genarray(s, 0), modarray(a))");
    assert_value("with(iv<[n]){1}([n]<=iv<.){2}genarray([2*n])",
                 "    with\n        (iv < [n]) { 1 }\n        ([n] <= iv < .) { 2 }\n"
                 "        genarray([2 * n])");
    assert_value("let x=with(iv){let y=a[iv];y*y}fold(+,0);x",
                 "    let x = with (iv) {\n        let y = a[iv];\n        y * y\n"
                 "    } fold(+, 0);\n    x");
    assert_value("with(iv<[n]){1}([n]<=iv<.){let y=2;y}(fold(+,0),modarray a)",
                 "    with\n        (iv < [n]) { 1 }\n        ([n] <= iv < .) {\n"
                 "            let y = 2;\n            y\n        }\n"
                 "        (fold(+, 0), modarray a)");
    assert_value("with (iv) { first_function_name(aaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbb) } "
                 "genarray(ssssssssss)",
                 "    with (iv) {\n        first_function_name(aaaaaaaaaaaaaaaaaaaa, "
                 "bbbbbbbbbbbbbbbbbbbbb)\n    } genarray(ssssssssss)");
    assert_value("map(|x| with (iv) { let y = x; y } fold(+, 0))",
                 "    map(|x| with (iv) {\n        let y = x;\n        y\n    } fold(+, 0))");
    assert_value("with // a\n(iv) { x } // b\n// c\nmodarray // d\na;",
                 "    with (iv) { // a\n        x\n    } // b\n    // c\n    modarray a; // d");
    assert_value("with (i) { 1 } // a\n\n// b\n(j) { 2 // c\n} // d\nmodarray(a // e\n)",
                 "    with\n        (i) { 1 } // a\n\n        // b\n        (j) {\n"
                 "            2 // c\n        } // d\n        modarray(\n"
                 "            a, // e\n        )");
}

static void test_statement_comments(void **state)
{
    (void)state;
    assert_value("x = 1; // one\n// two\nf(); // three\n\n// four",
                 "    x = 1; // one\n    // two\n    f(); // three\n\n    // four");
    assert_value("while a { // why\n b(); // b\n } // after\n c",
                 "    while a { // why\n        b(); // b\n    } // after\n    c");
    assert_value("loop { // none\n}", "    loop { // none\n    }");
    assert_value("if a { // then\n f(); } // after\n x",
                 "    if a { // then\n        f();\n    } // after\n    x");
    assert_value("match a { // arms\n 0 => b, // zero\n // one\n 1 => { c } // c\n _ => d // d\n }",
                 "    match a { // arms\n        0 => b, // zero\n        // one\n"
                 "        1 => { c } // c\n        _ => d, // d\n    }");
}

static void test_rules(void **state)
{
    (void)state;
    assert_format(
        "contract  rule r( m:nat )[n:nat](xs:[n]f32)where n%m==0{xs=>f(xs)}rule q()(){a=>b}",
        "contract rule r(m: nat)[n: nat](xs: [n]f32) where n % m == 0 {\n"
        "    xs => f(xs)\n}\n\nrule q() {\n    a => b\n}\n");
    assert_format(
        "rule r(){aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|>map(f)=>"
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb|>map(g)|>map(h)|>join}",
        "rule r() {\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa |> map(f)\n"
        "        => bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb |> map(g) |> map(h) |> join\n}\n");
    assert_format("rule r() {\n// a\n\n// b\nx // c\n// d\n=> // e\ny // f\n// g\n}",
                  "rule r() {\n    // a\n\n    // b\n    x // c\n        // d\n        // e\n"
                  "        => y // f\n    // g\n}\n");
    assert_format("/// doc\nrule split_and_join_with_remainder(block: nat)[n: nat, s, t: data]"
                  "(function: fn(s) -> t, array: [n]s) { a => b }",
                  "/// doc\nrule split_and_join_with_remainder(block: nat)[n: nat, s, t: data](\n"
                  "    function: fn(s) -> t,\n    array: [n]s,\n) {\n    a => b\n}\n");
}

static void test_strategies(void **state)
{
    (void)state;
    assert_format("strategy s(a:nat,b:[ nat ],c:strategy){a<+b@c;{d;e};if n>1{f}else{id};g}",
                  "strategy s(a: nat, b: [nat], c: strategy) {\n    a <+ b @ c;\n    { d; e }\n"
                  "    if n > 1 { f } else { id }\n    g;\n}\n");
    assert_format("strategy s(){}strategy t(){a}",
                  "strategy s() {}\n\nstrategy t() {\n    a;\n}\n");
    assert_format(
        "strategy s() { // why\n\n\na; // one\n// two\n\n{ b // three\n} // four\n"
        "f({ g; // five\n}) // end\n}",
        "strategy s() { // why\n    a; // one\n    // two\n\n    {\n"
        "        b; // three\n    } // four\n    f({\n        g; // five\n    }); // end\n}\n");
    assert_format(
        "strategy s() {\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa @ bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb "
        "<+ ccccccccccccccccccccccccc <+ try({ ddddddddddd; e; fffffffff }, g) }",
        "strategy s() {\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa @ "
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
        "        <+ ccccccccccccccccccccccccc\n        <+ try({ ddddddddddd; e; fffffffff }, "
        "g);\n}\n");
    assert_format("schedule f for omp( a=tune( 1,2 ),b=3,)allow contract{g}schedule h(a=tune(1)){}",
                  "schedule f for omp(a = tune(1, 2), b = 3) allow contract {\n    g;\n}\n\n"
                  "schedule h(a = 1) {}\n");
    assert_format(
        "schedule f for omp(a = 1, // one\n b = tune(2, 3) // two\n) { g }",
        "schedule f for omp(\n    a = 1, // one\n    b = tune(2, 3), // two\n) {\n    g;\n}\n");
}

static void test_comments(void **state)
{
    (void)state;
    assert_format("// head\n\nconst a = 1 // one\n// two\nconst b = 2\n// end",
                  "// head\n\nconst a = 1 // one\n// two\nconst b = 2\n// end\n");
    assert_value(
        "  // first\n\n  // second\n  let x = 1; // one\n\n\n  // third\n  x // value\n  // last",
        "    // first\n\n    // second\n    let x = 1; // one\n\n    // third\n    x // value\n    "
        "// last");
    assert_value("a // start\n|> f // one\n// two\n|> g(1, // three\n 2)",
                 "    a // start\n        |> f // one\n        // two\n        |> g(\n            "
                 "1, // three\n"
                 "            2,\n        )");
    assert_value("a + // x\n - // y\n b", "    a // x\n        + -b // y");
    assert_value("f(// none\n)", "    f( // none\n    )");
    assert_value("if a { // then\n b } // after\n else { c }",
                 "    if a { // then\n        b\n    } else { // after\n        c\n    }");
    assert_format("// about f\n/// doc\nfn f(a: f32, // the a\n b: f32) -> f32 { // body\n a }",
                  "// about f\n/// doc\nfn f(\n    a: f32, // the a\n    b: f32,\n) -> f32 { // "
                  "body\n    a\n}\n");
}

// Random programs: grammatical by construction.
typedef struct {
    Text out;
    uint64_t random;
} Maker;

static uint32_t roll(Maker *k, uint32_t n)
{
    return random_below(&k->random, n);
}

static void make_type(Maker *k, int depth)
{
    static const char *const leaves[] = {"f32", "nat",          "idx[n]",        "Pair[f32, n]",
                                         "()",  "[n][2, m]f32", "fn(&i32) -> !", "varying[4] f32"};
    enum { LEAVES = sizeof leaves / sizeof *leaves };
    switch (depth <= 0 ? 9 : roll(k, 8)) {
    case 0:
        text_put(&k->out, "[n, 3]");
        make_type(k, 0);
        return;
    case 1:
        text_put(&k->out, "(");
        make_type(k, depth - 1);
        text_put(&k->out, ",)");
        return;
    case 2:
        text_put(&k->out, "fn(f32) -> ");
        make_type(k, depth - 1);
        return;
    case 3:
        text_put(&k->out, roll(k, 2) ? "&mut shared " : "&");
        text_char(&k->out, ' ');
        make_type(k, depth - 1);
        return;
    default: text_put(&k->out, leaves[roll(k, LEAVES)]);
    }
}

static void make_expr(Maker *k, int depth);

static void make_strategy(Maker *k, int depth);

// Pieces of text around expressions: a % stands for one, an @ for a type, a \2 for a strategy, and
// \1 for the sign @.
static void make_shape(Maker *k, const char *shape, int depth)
{
    for (; *shape; shape++) {
        if (*shape == '%')
            make_expr(k, depth);
        else if (*shape == '@')
            make_type(k, depth / 2);
        else if (*shape == '\2')
            make_strategy(k, depth);
        else if (*shape == '\1')
            text_char(&k->out, '@');
        else
            text_char(&k->out, *shape);
    }
}

static void make_strategy(Maker *k, int depth)
{
    static const char *const leaves[] = {"fuse", "id", "is_map", "long_name_of_a_strategy"};
    static const char *const numbers[] = {"1", "n", "order[0]", "len(order) - 1", "-(n)"};
    static const char *const shapes[] = {
        "^",
        "^ <+ ^",
        "(^) \1 (^)",
        "{ ^; ^ } <+ ^",
        "{ ^; }",
        "{}",
        "if # > 1 && (%) { ^; ^ } else if # == # { ^ }",
        "if # < # { ^ } else {}",
        "top_down({ ^; ^; })",
        "tile(#, # * #, (^), [#, ..order])",
        "f(#)(^, { ^ }, order[#..])",
        "at(\"name\", 1 + 2 * #)",
    };
    if (depth <= 0) {
        text_put(&k->out, leaves[roll(k, sizeof leaves / sizeof *leaves)]);
        return;
    }
    for (const char *s = shapes[roll(k, sizeof shapes / sizeof *shapes)]; *s; s++)
        if (*s == '^')
            make_strategy(k, depth - 1 - (int)roll(k, 2));
        else if (*s == '#')
            text_put(&k->out, numbers[roll(k, sizeof numbers / sizeof *numbers)]);
        else if (*s == '%')
            make_expr(k, depth / 2);
        else
            text_char(&k->out, *s == '\1' ? '@' : *s);
}

static void make_expr(Maker *k, int depth)
{
    static const char *const leaves[] = {
        "a", "xs", "1", "2.50", "0x_f", "\"s\\n\"", "()", "true", "long_name_of_something"};
    static const char *const shapes[] = {
        "(% + %)",
        "f(%, %)",
        "% |> f |> g(%)",
        "(|x, (a, _), y: @| %)",
        "(- %)",
        "% |> map(|x| %)",
        "(if % { % } else { % })",
        "{ let (x, y): @ = %; let z = %; % }",
        "[%, %, %]",
        "(%, %)",
        "(%,)",
        "(P { x: %, y: % })",
        "a[%]",
        "a[%..]",
        "a[..%]",
        "(%).0.x",
        "f[(n + 1) * 2, @, [n]f32](%)",
        "(%) as @",
        "(f >> % >> g)",
        "reduce(+, %, %)",
        "const(%)",
        "(a * % * %)",
        "[1, 2, 3, 4, -5, 6]",
        "xs |> map(|x| { let y = %; % }) |> f",
        "(|| %)",
        "{ % }",
        "(% && % || %)",
        "(% ++ %)",
        "(% < %)",
        "& %",
        "(&mut % & *%)",
        "(?(%) && !$(%))",
        "-(%)",
        "\1\1f(%)(%)",
        "{ f(%); }",
        "{ let mut x: @ = %; x = %; a[%] += (%); % }",
        "{ (x, (y, a[%])) = %; (x,) = (%,); }",
        "{ if % { % } *(%) >>>= %; break(); }",
        "{ if % { f(%); } else if % { % } else {} -(%) }",
        "{ while (%) { f(%); } loop { x = %; } unchecked { (%).x } |> f }",
        "while f(%) {}",
        "(for x, (mut y: @, _) in f(%, %) { g(%); })",
        "with f(%) { % }",
        "with x in f(%) { g(x); }",
        "(loop { break(%) })",
        ("{ match (%) { 0 => (%), -1.5 => { % } S.A(x, (_, y)) if % => if % { % } "
         "S.B => f(%), (_, true) => |x| %, mut z => z }; }"),
        "match f(%) {}",
        "unchecked { % }",
        "(return)",
    };
    if (depth <= 0)
        text_put(&k->out, leaves[roll(k, sizeof leaves / sizeof *leaves)]);
    else
        make_shape(k, shapes[roll(k, sizeof shapes / sizeof *shapes)], depth - 1 - (int)roll(k, 2));
}

static void make_item(Maker *k, int depth)
{
    static const char *const shapes[] = {
        "const x = %\n",
        "const y: @ = %\n",
        "type T[n: nat] = @\n",
        "/// doc\nstruct S { x: @, y: @ }\n",
        "struct S {\n/// doc\nx: @ }\n",
        "test \"t\" { % }\n",
        "import a.b (c, d)\n",
        "/// doc\nentry fn f[n, m: nat, t: data](a: @, b: @) -> @ where (%), n > 0 { % }\n",
        "fn g() -> @ { % }\n",
        "pattern p[n: nat](x: @) -> @\n",
        "/// doc\nenum E[t: data] {\n/// a\nA(@, @), B }\n",
        "enum E { A, B(@) }\n",
        "extern fn g(n: nat, x: @) -> @;\n",
        "fn \1(%) h(\1 a: @, \1(%) b: @) { % }\n",
        "fn \1 k() -> ! {}\n",
        "/// doc\ncontract rule r(m: nat)[n: nat](x: @, y: @) where (%), n > 0 { % => % }\n",
        "rule r(x: @) { % => % }\n",
        "/// doc\nstrategy s(a: nat, b: [nat], c: strategy) { \2; \2 }\n",
        "strategy s() { \2; \2; \2; }\n",
        "schedule f for omp(a = tune(1, 2 * n), b = (%)) allow reassociate { \2 }\n",
        "schedule f { \2; }\n",
    };
    make_shape(k, shapes[roll(k, sizeof shapes / sizeof *shapes)], depth);
}

// Where a random comment or line break may stand: before any token but where it would part a doc
// from its item, since comments there change places with the doc.
static const char *scatter(Session *cx, const char *text, Maker *k, uint32_t rarity)
{
    TokenStream ts = lex_source(cx, session_add_source(cx, "t", text, strlen(text)));
    Text out = text_new(cx->arena);
    uint32_t from = 0, number = 0;
    for (int i = 0; i < ts.tokens.len; i++) {
        const Token *t = &ts.tokens.at[i];
        const Token *before = i > 0 ? t - 1 : t;
        bool one = before->kind == T_DOT ||
                   (before->kind == T_LT && t->kind == T_PLUS && before->hi == t->lo); // <+
        text_add(&out, text + from, t->lo - from);
        from = t->lo;
        if (one || roll(k, rarity)) continue;
        switch (roll(k, 4)) {
        case 0: text_printf(&out, " // c%u\n", number++); break;
        case 1: text_printf(&out, "\n// c%u\n", number++); break;
        case 2: text_printf(&out, "\n\n   // c%u\n\n", number++); break;
        default: text_put(&out, "\n\n");
        }
    }
    text_add(&out, text + from, strlen(text) - from);
    return text_get(&out);
}

// Printing the body of a rule or a strategy on one line and reading that gives the same tree.
static void check_print_item(Session *cx, const char *head, const Ast *e)
{
    Text out = text_new(cx->arena);
    text_put(&out, head);
    ast_print(&out, e);
    assert_true(ast_equal(e, parse_text(cx, text_get(&out), out.len)->items.at[0]->body));
}

// The same for any body.
static void check_print(Session *cx, const Ast *e)
{
    if (!e) return;
    if (e->kind == AST_RULE) {
        check_print_item(cx, "rule r() ", e);
        return;
    }
    if (e->kind == AST_SEQUENCE) {
        check_print_item(cx, "strategy s() ", e);
        return;
    }
    int next;
    Text out = text_new(cx->arena);
    ast_print(&out, e);
    const Ast *again =
        parse_expression(cx, session_add_source(cx, "t", text_get(&out), out.len), 0, &next);
    assert_true(ast_equal(e, again));
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < 1500; round++) {
        Session *cx = session_new();
        Maker k = {text_new(cx->arena), round + 1000};
        for (uint32_t n = 1 + roll(&k, 3); n > 0; n--) make_item(&k, 1 + (int)roll(&k, 5));
        const char *text = text_get(&k.out);
        if (round % 3) text = scatter(cx, text, &k, 2 + roll(&k, 30));
        check_format(cx, text);
        const Module *m = parse_text(cx, text, strlen(text));
        for (int i = 0; i < m->items.len; i++) check_print(cx, m->items.at[i]->body);
        session_delete(cx);
    }
}

// No line is longer than it must be.
static void test_width(void **state)
{
    (void)state;
    for (int i = 0; i < PROGRAMS; i++) {
        Session *cx = session_new();
        const char *text = check_format(cx, programs[i]);
        for (const char *line = text; *line; line = strchr(line, '\n') + 1)
            assert_true(strchr(line, '\n') - line <= LINE_WIDTH);
        session_delete(cx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_items),      cmocka_unit_test(test_long_items),
        cmocka_unit_test(test_values),     cmocka_unit_test(test_long_values),
        cmocka_unit_test(test_comments),   cmocka_unit_test(test_random),
        cmocka_unit_test(test_width),      cmocka_unit_test(test_statements),
        cmocka_unit_test(test_with_loops), cmocka_unit_test(test_statement_comments),
        cmocka_unit_test(test_rules),      cmocka_unit_test(test_strategies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
