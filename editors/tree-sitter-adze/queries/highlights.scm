; What later patterns match takes precedence.

(identifier) @variable

(comment) @comment
(doc_comment) @comment.documentation

(string) @string
(escape_sequence) @string.escape
(byte) @character
(integer) @number
(float) @number.float
(boolean) @boolean

; --- words -------------------------------------------------------------------------------------------

[
  ; words: item
  "const" "entry" "enum" "extern" "fn" "import" "pattern" "struct" "test" "type"
  ; end of words
  ; words: soft_item
  "bench" "contract" "pub" "reassociate" "rule" "schedule" "simd" "strategy"
  ; end of words
] @keyword

[
  ; words: control
  "else" "for" "if" "in" "loop" "match" "while" "with"
  ; end of words
] @keyword.control

[
  ; words: other
  "as" "let" "mut" "unchecked" "where"
  ; end of words
  ; words: soft_type
  "global" "private" "shared" "strided" "uniform" "varying"
  ; end of words
  "allow"
  "scalar"
] @keyword.modifier

(jump) @keyword.return

(step word: (identifier) @keyword (#any-of? @keyword "step" "width"))
(with_operator name: (identifier) @keyword (#any-of? @keyword "genarray" "modarray" "fold"))

; --- operators and brackets --------------------------------------------------------------------------

[
  "+" "-" "*" "/" "%" "==" "!=" "<" "<=" ">" ">=" "&" "|" "^" "<<" ">>>" "&&" "||" "++" "!" "?" "$"
  "@" "@@" "|>" ">>" "->" "=>" ".." "<+" "=" "+=" "-=" "*=" "/=" "%=" "&=" "|=" "^=" "<<=" ">>>="
  "++="
] @operator

["," ";" ":" "."] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket

(wildcard) @variable.builtin
(never_type) @type.builtin
(operator_function) @function.builtin

; --- types -------------------------------------------------------------------------------------------

(named_type name: (identifier) @type)
((named_type name: (identifier) @type.builtin)
  (#any-of? @type.builtin
    ; words: scalar_type
    "bool" "f16" "f32" "f64" "i16" "i32" "i64" "i8" "idx" "nat" "u16" "u32" "u64" "u8"
    ; end of words
  ))
(kind) @type.builtin
(struct_item name: (identifier) @type)
(enum_item name: (identifier) @type)
(type_item name: (identifier) @type)
(struct_expression name: (identifier) @type)
(struct_binding name: (identifier) @type)
(struct_case name: (identifier) @type)
(option_case enum: (identifier) @type)
(option name: (identifier) @constructor)
(option_case option: (identifier) @constructor)
(generic_parameter name: (identifier) @variable.parameter)

; --- functions ---------------------------------------------------------------------------------------

(call_expression function: (identifier) @function.call)
(call_expression function: (index_expression value: (identifier) @function.call))
(pipe_expression right: (identifier) @function.call)
(pipe_expression right: (index_expression value: (identifier) @function.call))
(apply_strategy strategy: (identifier) @function.call)

((identifier) @function.builtin
  (#any-of? @function.builtin
    ; words: pattern
    "all" "any" "as_scalar" "as_vector" "circular" "compress" "concat" "copy" "count" "drop"
    "expand" "extract" "fold" "gather" "generate" "insert" "iterate" "join" "lanes" "map"
    "mask_bits" "pad" "parallel" "permute" "prefetch" "range" "reduce" "repeat" "reverse" "rotate"
    "scan" "scan_ex" "scatter" "scatter_with" "select" "shuffle" "slide" "spawn" "split" "stride"
    "sync" "take" "to_mem" "transpose" "undefined" "unroll" "unzip" "vectorize" "zip"
    ; end of words
    ; words: function
    "abs" "abs_diff" "acos" "add_sat" "asin" "assert" "atan" "atan2" "avg_ceil" "ceil" "clz" "cos"
    "cosh" "ctz" "erf" "exp" "exp2" "floor" "fma" "from_bits" "likely" "load" "log" "log10" "log2"
    "max" "min" "mul_hi" "popcount" "pow" "print" "prod" "rank" "rotl" "rotr" "round" "shape" "sin"
    "sinh" "sqrt" "sub_sat" "tan" "tanh" "to_bits" "trunc" "unlikely"
    ; end of words
  ))

(tuned_number
  choices: (call_expression function: (identifier) @keyword (#eq? @keyword "tune")))

(function_item name: (identifier) @function)
(extern_item name: (identifier) @function)
(pattern_item name: (identifier) @function)
(rule_item name: (identifier) @function)
(strategy_item name: (identifier) @function)
(schedule_item name: (identifier) @function)

; --- names -------------------------------------------------------------------------------------------

(parameter name: (identifier) @variable.parameter)
(lambda_parameters (name_binding name: (identifier) @variable.parameter))
(lambda_parameters (typed_binding (name_binding name: (identifier) @variable.parameter)))
(const_item name: (identifier) @constant)
(module_path (identifier) @module)
(attribute) @attribute
(file_attribute) @attribute
(field name: (identifier) @property)
(field_value name: (identifier) @property)
(field_binding field: (identifier) @property)
(field_case field: (identifier) @property)
(field_identifier) @property
(component) @property
