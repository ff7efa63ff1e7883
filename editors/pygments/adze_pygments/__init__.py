"""Adze programs for Pygments."""
from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

__all__ = ["AdzeLexer"]


class _Words:
    """The lists are written by editors/words.py."""

    # words: item
    ITEM = """
        const entry enum extern fn import pattern struct test type
    """.split()
    # end of words
    # words: control
    CONTROL = """
        else for if in loop match while with
    """.split()
    # end of words
    # words: other
    OTHER = """
        as let mut unchecked where
    """.split()
    # end of words
    # words: jump
    JUMP = """
        break continue return
    """.split()
    # end of words
    # words: boolean
    BOOLEAN = """
        false true
    """.split()
    # end of words
    # words: soft_type
    SOFT_TYPE = """
        global private shared strided uniform varying
    """.split()
    # end of words
    # words: kind
    KIND = """
        data float int nat num scalar shape
    """.split()
    # end of words
    # words: scalar_type
    SCALAR_TYPE = """
        bool f16 f32 f64 i16 i32 i64 i8 idx nat u16 u32 u64 u8
    """.split()
    # end of words
    # words: pattern
    PATTERN = """
        all any as_scalar as_vector circular compress concat copy count drop expand extract fold
        gather generate insert iterate join lanes map mask_bits pad parallel permute prefetch
        range reduce repeat reverse rotate scan scan_ex scatter scatter_with select shuffle
        slide spawn split stride sync take to_mem transpose undefined unroll unzip vectorize zip
    """.split()
    # end of words
    # words: function
    FUNCTION = """
        abs abs_diff acos add_sat asin assert atan atan2 avg_ceil ceil clz cos cosh ctz erf exp
        exp2 floor fma from_bits likely load log log10 log2 max min mul_hi popcount pow print
        prod rank rotl rotr round shape sin sinh sqrt sub_sat tan tanh to_bits trunc unlikely
    """.split()
    # end of words


_NAME = r"[A-Za-z_]\w*"
_FILTER = r"((?:@\s*(?:\([^()\n]*\)\s*)?)?)"
_SUFFIX = r"(?:[iu](?:8|16|32|64))?\b"


class AdzeLexer(RegexLexer):
    """Programs in Adze, a language for array programs."""

    name = "Adze"
    aliases = ["adze", "adz"]
    filenames = ["*.adz"]
    mimetypes = ["text/x-adze"]

    tokens = {
        "root": [
            (r"\s+", Text),
            (r"///(?!/).*", String.Doc),
            (r"//.*", Comment.Single),
            (r"#!?\[\w+\]", Comment.Preproc),
            (r'"', String, "string"),
            (r"'(?:[^'\\\n]|\\u\{[0-9a-fA-F]+\}|\\.)'", String.Char),
            (rf"\b(fn|pattern)(\s+){_FILTER}({_NAME})", bygroups(Keyword.Declaration, Text, Text, Name.Function)),
            (
                rf"^(contract\s+|reassociate\s+)?(rule|strategy|schedule)(\s+)({_NAME})",
                bygroups(Keyword.Declaration, Keyword.Declaration, Text, Name.Function),
            ),
            (r"^bench\b(?=\s*\")", Keyword.Declaration),
            (rf"\b(struct|enum|type)(\s+)({_NAME})", bygroups(Keyword.Declaration, Text, Name.Class)),
            (rf"\b(const)(\s+)({_NAME})", bygroups(Keyword.Declaration, Text, Name.Constant)),
            (r"\b((?:pub\s+)?import)(\s+)([A-Za-z_][\w.]*)", bygroups(Keyword.Namespace, Text, Name.Namespace)),
            (r"\bsimd\b(?=\s*\[)", Keyword.Declaration),
            (r"\b(allow)(\s+)(contract|reassociate)\b", bygroups(Keyword, Text, Keyword)),
            (r"\b(?:step|width)\b(?=\s+[\w\[])", Keyword),
            (r"\b(?:genarray|modarray|tune)\b(?=\s*[\w\[(])", Keyword),
            (r"\bscalar\b(?=\s*(?:\{|\|\s*\w+\s*\|\s*\{))", Keyword),
            (rf"0x[0-9a-fA-F_]+{_SUFFIX}", Number.Hex),
            (rf"0b[01_]+{_SUFFIX}", Number.Bin),
            (r"(?<![\w.])\d[\d_]*(?:\.\d[\d_]*(?:[eE][+-]?\d[\d_]*)?|[eE][+-]?\d[\d_]*)(?:f16|f32|f64)?\b", Number.Float),
            (r"(?<![\w.])\d[\d_]*f(?:16|32|64)\b", Number.Float),
            (rf"\d[\d_]*{_SUFFIX}", Number.Integer),
            (rf"(:)(\s*)({'|'.join(_Words.KIND)})(?=\s*[\],])", bygroups(Punctuation, Text, Keyword.Type)),
            (words(_Words.SCALAR_TYPE, suffix=r"\b"), Keyword.Type),
            (words(_Words.BOOLEAN, suffix=r"\b"), Keyword.Constant),
            (words(_Words.ITEM, suffix=r"\b"), Keyword.Declaration),
            (words(_Words.CONTROL + _Words.OTHER + _Words.JUMP, suffix=r"\b"), Keyword),
            (words(_Words.SOFT_TYPE, suffix=r"\b(?!\s*\()"), Keyword),
            (words(_Words.PATTERN + _Words.FUNCTION, prefix=r"(?<![.\w])", suffix=r"\b"), Name.Builtin),
            (r"(?<!\.)(\.)([A-Za-z_]\w*)", bygroups(Punctuation, Name.Attribute)),
            (r"_\b", Name.Builtin.Pseudo),
            (_NAME, Name),
            (r"[-+*/%&|^<>=!?$@]+|\.\.", Operator),
            (r"[()\[\]{},;:.]", Punctuation),
        ],
        "string": [
            (r"[^\"\\\n]+", String),
            (r"\\(?:[ntr0\\\"']|u\{[0-9a-fA-F]+\})", String.Escape),
            (r'"|\n', String, "#pop"),
        ],
    }
