// The grammar of Adze for tree-sitter. It follows the grammar at the end of docs/language.md and
// accepts a little more, since an editor parses text while it is written: brackets after a name are
// one node, whether they hold an index or generic arguments, and contextual keywords are keywords
// only where they begin something.
//
// `tree-sitter generate` writes src/. tests/editors/run.sh parses all programs of the repository.

const PREC = {
  // A construct that ends in a brace ends the statement before -, *, &, | and brackets.
  ENDS: 1,
  LAMBDA: 0,
  PIPE: 2,
  COMPOSE: 3,
  OR: 4,
  AND: 5,
  COMPARE: 6,
  BOUND: 7, // of a generator: ends before < and <=
  BIT_OR: 8,
  BIT_XOR: 9,
  BIT_AND: 10,
  CONCAT: 11,
  SHIFT: 12,
  SUM: 13,
  PRODUCT: 14,
  CAST: 15,
  PREFIX: 16,
  POSTFIX: 17,
};

const BINARY = [
  [PREC.OR, '||'],
  [PREC.AND, '&&'],
  [PREC.COMPARE, choice('==', '!=', '<', '<=', '>', '>=')],
  [PREC.BIT_OR, '|'],
  [PREC.BIT_XOR, '^'],
  [PREC.BIT_AND, '&'],
  [PREC.CONCAT, '++'],
  [PREC.SHIFT, choice('<<', '>>>')],
  [PREC.SUM, choice('+', '-')],
  [PREC.PRODUCT, choice('*', '/', '%')],
];

const FUNCTIONS = [
  '+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&', '|', '^', '<<', '>>>', '&&', '||',
];

const ASSIGNS = ['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>>=', '++='];

const list1 = (rule) => seq(rule, repeat(seq(',', rule)), optional(','));
const list = (rule) => optional(list1(rule));

module.exports = grammar({
  name: 'adze',

  word: ($) => $.identifier,

  extras: ($) => [/\s/, '\ufeff', $.comment, $.doc_comment],

  inline: ($) => [$._element, $._argument, $._result],

  supertypes: ($) => [$._expression, $._type, $._binding, $._case],

  conflicts: ($) => [
    // `name {` begins a struct, ends the head of a construct or a `where`, or is a pattern.
    [$._expression, $.struct_expression],
    [$._expression, $.struct_expression, $.struct_binding],
    // `[n]` is an array, or begins an array type.
    [$.array_expression, $._sizes],
    // `with (a, b) in f(x)` or `with (a < b)`: a pattern or an expression.
    [$._expression, $.name_binding],
    [$.array_expression, $.array_binding],
    [$.tuple_expression, $.tuple_binding],
    [$.array_expression, $._binding],
    [$.tuple_expression, $._binding],
    // `scalar`, `uniform` and `varying` are also names.
    [$._soft_name, $.scalar_expression],
    [$._soft_name, $.uniform_type],
    [$._soft_name, $.vector_type],
    // `modarray (a)` or `modarray (a)[0]`.
    [$.parenthesized_expression, $.arguments],
    [$.tuple_expression, $.arguments],
    // `f >> |` is the operator, or begins a lambda.
    [$.operator_function, $.lambda],
    // A generic argument is a type or a size.
    [$.tuple_expression, $.tuple_type],
    [$._expression, $.named_type],
  ],

  rules: {
    source_file: ($) => seq(repeat($.file_attribute), repeat(seq($._item, optional(';')))),

    file_attribute: ($) => seq('#!', '[', $.identifier, ']'),
    attribute: ($) => seq('#', '[', $.identifier, ']'),

    // --- items -----------------------------------------------------------------------------------

    _item: ($) =>
      choice(
        $.import_item,
        $.const_item,
        $.type_item,
        $.struct_item,
        $.enum_item,
        $.function_item,
        $.extern_item,
        $.pattern_item,
        $.test_item,
        $.bench_item,
        $.rule_item,
        $.strategy_item,
        $.schedule_item,
      ),

    import_item: ($) =>
      seq(
        optional('pub'),
        'import',
        field('module', $.module_path),
        optional(seq('(', list(field('name', $.identifier)), ')')),
      ),
    module_path: ($) => seq($.identifier, repeat(seq('.', $.identifier))),

    const_item: ($) =>
      seq(
        'const',
        field('name', $.identifier),
        optional(seq(':', field('type', $._type))),
        '=',
        field('value', $._expression),
      ),

    type_item: ($) =>
      seq(
        'type',
        field('name', $.identifier),
        field('generics', optional($.generic_parameters)),
        '=',
        field('type', $._type),
      ),

    struct_item: ($) =>
      seq(
        optional($.attribute),
        'struct',
        field('name', $.identifier),
        field('generics', optional($.generic_parameters)),
        field('body', $.field_list),
      ),
    field_list: ($) => seq('{', list($.field), '}'),
    field: ($) => seq(field('name', $.identifier), ':', field('type', $._type)),

    enum_item: ($) =>
      seq(
        optional($.attribute),
        'enum',
        field('name', $.identifier),
        field('generics', optional($.generic_parameters)),
        field('body', $.option_list),
      ),
    option_list: ($) => seq('{', list($.option), '}'),
    option: ($) => seq(field('name', $.identifier), optional(seq('(', list($._type), ')'))),

    function_item: ($) =>
      seq(
        optional('entry'),
        optional(seq('simd', '[', field('lanes', $._expression), ']')),
        'fn',
        field('filter', optional($.filter)),
        $._signature,
        field('body', $.block),
      ),

    extern_item: ($) => seq('extern', 'fn', $._signature),

    pattern_item: ($) => seq('pattern', $._signature, field('body', optional($.block))),

    test_item: ($) => seq('test', field('title', $.string), field('body', $.block)),

    bench_item: ($) => seq('bench', field('title', $.string), field('body', $.block)),

    rule_item: ($) =>
      seq(
        optional(choice('contract', 'reassociate')),
        'rule',
        field('name', $.identifier),
        field('numbers', optional($.parameters)),
        field('generics', optional($.generic_parameters)),
        field('parameters', $.parameters),
        field('where', optional($.where_clause)),
        field('body', $.equation),
      ),
    equation: ($) => seq('{', field('left', $._expression), '=>', field('right', $._expression), '}'),

    strategy_item: ($) =>
      seq(
        'strategy',
        field('name', $.identifier),
        field('parameters', alias($.strategy_parameters, $.parameters)),
        field('body', $.sequence),
      ),
    strategy_parameters: ($) => seq('(', list(alias($.strategy_parameter, $.parameter)), ')'),
    strategy_parameter: ($) =>
      seq(field('name', $.identifier), ':', field('type', choice($.kind, $.kind_list))),
    kind_list: ($) => seq('[', $.kind, ']'),

    schedule_item: ($) =>
      seq(
        'schedule',
        field('name', $.identifier),
        optional(seq('for', field('target', $.identifier))),
        field('numbers', optional($.tuned_numbers)),
        optional(seq('allow', choice('contract', 'reassociate'))),
        field('body', $.sequence),
      ),
    tuned_numbers: ($) => seq('(', list($.tuned_number), ')'),
    tuned_number: ($) => seq(field('name', $.identifier), '=', field('choices', $._expression)),

    // --- signatures ------------------------------------------------------------------------------

    _signature: ($) =>
      seq(
        field('name', $.identifier),
        field('generics', optional($.generic_parameters)),
        field('parameters', $.parameters),
        optional(seq('->', field('result', $._result))),
        field('where', optional($.where_clause)),
      ),

    filter: ($) => prec.right(seq('@', optional(seq('(', $._expression, ')')))),

    generic_parameters: ($) => seq('[', list($.generic_parameter), ']'),
    generic_parameter: ($) =>
      seq(
        field('name', $.identifier),
        repeat(seq(optional(','), field('name', $.identifier))),
        ':',
        field('kind', $.kind),
      ),
    kind: ($) => $.identifier,

    parameters: ($) => seq('(', list($.parameter), ')'),
    parameter: ($) =>
      seq(
        field('filter', optional($.filter)),
        field('name', $.identifier),
        ':',
        field('type', $._type),
        optional('strided'),
      ),

    where_clause: ($) => seq('where', $._expression, repeat(seq(',', $._expression))),

    _result: ($) => choice(seq($._type, optional('strided')), $.never_type),
    never_type: (_) => '!',

    // --- types -----------------------------------------------------------------------------------

    _type: ($) =>
      choice(
        $.array_type,
        $.vector_type,
        $.uniform_type,
        $.tuple_type,
        $.function_type,
        $.reference_type,
        $.named_type,
      ),

    array_type: ($) => prec.dynamic(1, seq($._sizes, field('element', $._type))),
    _sizes: ($) => seq('[', list1($._element), ']'),

    vector_type: ($) =>
      prec.dynamic(1, seq('varying', '[', field('lanes', $._expression), ']', field('element', $._type))),

    uniform_type: ($) => prec.dynamic(1, seq('uniform', field('element', $._type))),

    tuple_type: ($) => prec.dynamic(-1, seq('(', list(seq($._type, optional('strided'))), ')')),

    function_type: ($) =>
      seq('fn', '(', list($._type), ')', '->', field('result', choice($._type, $.never_type))),

    reference_type: ($) =>
      seq(
        '&',
        optional('mut'),
        optional($._space),
        field('target', $._type),
      ),
    _space: ($) => field('space', choice('global', 'shared', 'private')),

    named_type: ($) => prec.right(seq(field('name', $.identifier), optional($.type_arguments))),
    type_arguments: ($) => seq('[', list($._argument), ']'),

    // A type or a size. What may be both is an expression.
    _argument: ($) =>
      choice(
        $._element,
        $.array_type,
        $.vector_type,
        $.uniform_type,
        $.function_type,
        $.tuple_type,
      ),

    // --- expressions -----------------------------------------------------------------------------

    _expression: ($) =>
      choice(
        $.integer,
        $.float,
        $.byte,
        $.string,
        $.boolean,
        $.identifier,
        $._soft_name,
        $.jump,
        $.tuple_expression,
        $.parenthesized_expression,
        $.array_expression,
        $.struct_expression,
        $.const_expression,
        $.call_expression,
        $.index_expression,
        $.slice_expression,
        $.field_expression,
        $.prefix_expression,
        $.cast_expression,
        $.binary_expression,
        $.compose_expression,
        $.pipe_expression,
        $.lambda,
        $.with_loop,
        $._construct,
      ),

    _soft_name: ($) => alias(choice('scalar', 'uniform', 'varying'), $.identifier),

    // break, continue and return name values.
    jump: (_) => choice('break', 'continue', 'return'),

    parenthesized_expression: ($) => seq('(', choice($._expression, $.operator_function, $.operator_chain), ')'),
    tuple_expression: ($) =>
      choice(
        seq('(', ')'),
        seq('(', $._element, ',', ')'),
        seq('(', $._element, repeat1(seq(',', $._element)), optional(','), ')'),
      ),
    array_expression: ($) => seq('[', list($._element), ']'),

    // An element of brackets: an operator may stand for a function there.
    _element: ($) =>
      choice($._expression, $.operator_function, $.operator_chain, $.spread, $.wildcard),
    // An operator before |> or >>; a statement cannot begin with one.
    operator_chain: ($) =>
      seq(field('left', $.operator_function), choice('|>', '>>'), field('right', $._expression)),
    spread: ($) => seq('..', $._expression),
    operator_function: (_) => choice(...FUNCTIONS),

    struct_expression: ($) =>
      seq(field('name', choice($.identifier, $.index_expression)), '{', list1($.field_value), '}'),
    field_value: ($) => seq(field('name', $.identifier), ':', field('value', $._expression)),

    const_expression: ($) => seq('const', '(', $._expression, ')'),

    call_expression: ($) =>
      prec(PREC.POSTFIX, seq(field('function', $._expression), field('arguments', $.arguments))),
    arguments: ($) => seq('(', list($._element), ')'),

    index_expression: ($) =>
      prec(PREC.POSTFIX, seq(field('value', $._expression), '[', list($._argument), ']')),

    slice_expression: ($) =>
      prec(
        PREC.POSTFIX + 1,
        seq(
          field('value', $._expression),
          '[',
          field('from', optional($._expression)),
          '..',
          field('to', optional($._expression)),
          ']',
        ),
      ),

    field_expression: ($) =>
      prec(
        PREC.POSTFIX,
        seq(
          field('value', $._expression),
          '.',
          field('field', choice(alias($.identifier, $.field_identifier), $.component)),
        ),
      ),
    component: (_) => /[0-9]+/,

    prefix_expression: ($) =>
      prec(
        PREC.PREFIX,
        seq(
          field('operator', choice('-', '!', '*', seq('&', optional('mut')), '?', '$', '@@')),
          field('operand', $._expression),
        ),
      ),

    cast_expression: ($) =>
      prec.left(PREC.CAST, seq(field('value', $._expression), 'as', field('type', $._type))),

    binary_expression: ($) =>
      choice(
        ...BINARY.map(([level, operator]) =>
          prec.left(
            level,
            seq(
              field('left', $._expression),
              field('operator', operator),
              field('right', $._expression),
            ),
          ),
        ),
      ),

    compose_expression: ($) =>
      prec.left(
        PREC.COMPOSE,
        seq(
          field('left', $._expression),
          '>>',
          field('right', choice($._expression, $.operator_function)),
        ),
      ),

    pipe_expression: ($) =>
      prec.left(
        PREC.PIPE,
        seq(
          field('left', $._expression),
          '|>',
          field('right', choice($._expression, $.operator_function)),
        ),
      ),

    lambda: ($) =>
      prec.right(
        PREC.LAMBDA,
        seq(
          choice('||', seq('|', field('parameters', optional($.lambda_parameters)), '|')),
          field('body', $._expression),
        ),
      ),
    lambda_parameters: ($) => list1(choice($._binding, $.typed_binding)),

    // --- constructs ------------------------------------------------------------------------------

    _construct: ($) =>
      choice(
        $.block,
        $.if_expression,
        $.while_expression,
        $.loop_expression,
        $.for_expression,
        $.with_expression,
        $.match_expression,
        $.unchecked_expression,
        $.scalar_expression,
      ),

    if_expression: ($) =>
      seq(
        'if',
        field('condition', $._expression),
        field('then', $.block),
        optional(seq('else', field('else', choice($.block, $.if_expression)))),
      ),

    while_expression: ($) =>
      seq('while', field('condition', $._expression), field('body', $.block)),

    loop_expression: ($) => seq('loop', field('body', $.block)),

    for_expression: ($) =>
      seq('for', $._targets, 'in', field('call', $._expression), field('body', $.block)),

    with_expression: ($) =>
      seq(
        'with',
        optional(seq($._targets, 'in')),
        field('call', $._expression),
        field('body', $.block),
      ),
    _targets: ($) =>
      seq(
        field('target', choice($._binding, $.typed_binding)),
        repeat(seq(',', field('target', choice($._binding, $.typed_binding)))),
      ),

    unchecked_expression: ($) => seq('unchecked', field('body', $.block)),

    scalar_expression: ($) =>
      seq(
        'scalar',
        optional(seq('|', field('mask', choice($.identifier, $.wildcard)), '|')),
        field('body', $.block),
      ),

    match_expression: ($) =>
      seq('match', field('value', $._expression), field('body', $.arm_list)),
    arm_list: ($) =>
      seq(
        '{',
        repeat(choice($.arm, alias($.construct_arm, $.arm))),
        optional(alias($.last_arm, $.arm)),
        '}',
      ),
    _arm_head: ($) =>
      seq(field('case', $._case), optional(seq('if', field('guard', $._expression))), '=>'),
    arm: ($) => seq($._arm_head, field('value', $._expression), ','),
    construct_arm: ($) =>
      prec(PREC.ENDS, seq($._arm_head, field('value', $._construct), optional(','))),
    last_arm: ($) => seq($._arm_head, field('value', $._expression)),

    with_loop: ($) =>
      prec.right(
        seq(
          'with',
          repeat1($.generator),
          field('operator', choice($.with_operator, $.with_operators)),
        ),
      ),
    generator: ($) => seq('(', $._range, ')', field('body', $.block)),
    _range: ($) =>
      seq(
        $.bound,
        optional(seq($._relation, $.bound, optional(seq($._relation, $.bound)))),
        repeat($.step),
      ),
    _relation: (_) => choice('<', '<='),
    bound: ($) => prec(PREC.BOUND, choice('.', $.wildcard, $._expression)),
    step: ($) => seq(field('word', $.identifier), $.bound),
    with_operators: ($) => seq('(', list1($.with_operator), ')'),
    with_operator: ($) =>
      prec.right(
        PREC.POSTFIX,
        seq(
          field('name', $.identifier),
          choice(
            field('arguments', $.arguments),
            field(
              'array',
              choice(
                $.identifier,
                $.integer,
                $.float,
                $.array_expression,
                $.with_loop,
                $.index_expression,
                $.call_expression,
                $.field_expression,
                $.slice_expression,
              ),
            ),
          ),
        ),
      ),

    // --- blocks ----------------------------------------------------------------------------------

    block: ($) => seq('{', repeat($._statement), optional($._last), '}'),

    _statement: ($) =>
      choice(
        $.let_statement,
        $.function_item,
        $.assignment,
        $.expression_statement,
        alias($.construct_statement, $.expression_statement),
      ),

    // The value of a block, or an assignment at its end.
    _last: ($) => choice(field('value', $._expression), alias($.last_assignment, $.assignment)),

    let_statement: ($) =>
      seq(
        'let',
        field('target', $._binding),
        optional(seq(':', optional($._space), field('type', $._type))),
        '=',
        field('value', $._expression),
        ';',
      ),

    _assign: ($) =>
      seq(
        field('place', $._expression),
        field('operator', choice(...ASSIGNS)),
        field('value', $._expression),
      ),
    assignment: ($) => seq($._assign, ';'),
    last_assignment: ($) => $._assign,

    expression_statement: ($) => seq($._expression, ';'),
    construct_statement: ($) => prec(PREC.ENDS, seq($._construct, optional(';'))),

    // --- patterns of variables and of arms -------------------------------------------------------

    _binding: ($) =>
      choice($.name_binding, $.wildcard, $.tuple_binding, $.array_binding, $.struct_binding),

    name_binding: ($) => seq(optional('mut'), field('name', $.identifier)),
    typed_binding: ($) => seq($.name_binding, ':', field('type', $._type)),
    wildcard: (_) => '_',

    tuple_binding: ($) => seq('(', list(choice($._binding, $.typed_binding)), ')'),
    array_binding: ($) => seq('[', list(choice($._binding, $.typed_binding)), ']'),
    struct_binding: ($) =>
      seq(
        field('name', $.identifier),
        '{',
        list(choice($.field_binding, alias('..', $.rest))),
        '}',
      ),
    field_binding: ($) =>
      choice(
        seq(field('field', $.identifier), ':', choice($._binding, $.typed_binding)),
        $.name_binding,
      ),

    _case: ($) =>
      choice(
        $.name_binding,
        $.wildcard,
        $.integer,
        $.float,
        $.byte,
        $.boolean,
        $.negative_case,
        $.tuple_case,
        $.array_case,
        $.struct_case,
        $.option_case,
      ),
    negative_case: ($) => seq('-', choice($.integer, $.float)),
    tuple_case: ($) => seq('(', list($._case), ')'),
    array_case: ($) => seq('[', list($._case), ']'),
    struct_case: ($) =>
      seq(
        field('name', $.identifier),
        '{',
        list(choice($.field_case, alias('..', $.rest))),
        '}',
      ),
    field_case: ($) =>
      choice(seq(field('field', $.identifier), ':', $._case), $.name_binding),
    option_case: ($) =>
      seq(
        field('enum', $.identifier),
        '.',
        field('option', $.identifier),
        optional(seq('(', list($._case), ')')),
      ),

    // --- strategies ------------------------------------------------------------------------------

    sequence: ($) =>
      seq('{', repeat(choice(seq($._strategy, ';'), $._braced_step)), optional($._strategy), '}'),
    _braced_step: ($) =>
      prec(PREC.ENDS, seq(choice($.sequence, $.choice_strategy), optional(';'))),

    _strategy: ($) =>
      choice(
        $.integer,
        $.string,
        $.identifier,
        $.apply_strategy,
        $.index_strategy,
        $.negative_strategy,
        $.list_strategy,
        $.parenthesized_strategy,
        $.else_strategy,
        $.at_strategy,
        $.binary_strategy,
        $.sequence,
        $.choice_strategy,
      ),
    apply_strategy: ($) =>
      prec(
        PREC.POSTFIX,
        seq(
          field('strategy', choice($.identifier, $.apply_strategy, $.index_strategy)),
          field('arguments', alias($.strategy_arguments, $.arguments)),
        ),
      ),
    strategy_arguments: ($) => seq('(', list($._strategy), ')'),
    index_strategy: ($) =>
      prec(
        PREC.POSTFIX,
        seq(
          field('strategy', choice($.identifier, $.apply_strategy, $.index_strategy)),
          '[',
          choice($._expression, seq(optional($._expression), '..', optional($._expression))),
          ']',
        ),
      ),
    negative_strategy: ($) => prec(PREC.PREFIX, seq('-', $._strategy)),
    list_strategy: ($) => seq('[', list($._element), ']'),
    parenthesized_strategy: ($) => seq('(', $._strategy, ')'),
    else_strategy: ($) => prec.left(PREC.PIPE, seq($._strategy, '<+', $._strategy)),
    at_strategy: ($) => prec.left(PREC.COMPOSE, seq($._strategy, '@', $._strategy)),
    binary_strategy: ($) =>
      choice(
        prec.left(PREC.SUM, seq($._strategy, choice('+', '-'), $._strategy)),
        prec.left(PREC.PRODUCT, seq($._strategy, choice('*', '/', '%'), $._strategy)),
      ),
    choice_strategy: ($) =>
      seq(
        'if',
        field('condition', $._expression),
        field('then', $.sequence),
        optional(seq('else', field('else', choice($.sequence, $.choice_strategy)))),
      ),

    // --- tokens ----------------------------------------------------------------------------------

    identifier: (_) => /[A-Za-z_][A-Za-z0-9_]*/,

    boolean: (_) => choice('true', 'false'),

    integer: (_) =>
      token(
        seq(
          choice(/0x[0-9a-fA-F_]+/, /0b[01_]+/, /[0-9][0-9_]*/),
          optional(choice('i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64')),
        ),
      ),

    float: (_) =>
      token(
        choice(
          seq(
            /[0-9][0-9_]*/,
            choice(/\.[0-9][0-9_]*([eE][+-]?[0-9][0-9_]*)?/, /[eE][+-]?[0-9][0-9_]*/),
            optional(choice('f16', 'f32', 'f64')),
          ),
          seq(/[0-9][0-9_]*/, choice('f16', 'f32', 'f64')),
        ),
      ),

    string: ($) =>
      seq('"', repeat(choice($.string_content, $.escape_sequence)), token.immediate('"')),
    string_content: (_) => token.immediate(prec(1, /[^"\\\r\n]+/)),
    escape_sequence: (_) => token.immediate(/\\(u\{[0-9a-fA-F]+\}|[^\r\n])/),

    byte: (_) => token(seq("'", choice(/[^'\\\r\n]/, /\\(u\{[0-9a-fA-F]+\}|[^\r\n])/), "'")),

    comment: (_) => token(seq('//', /[^\n]*/)),
    doc_comment: (_) => token(prec(1, seq('///', optional(/[^\/\n][^\n]*/)))),
  },
});
