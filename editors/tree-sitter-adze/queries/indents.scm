[
  (block)
  (field_list)
  (option_list)
  (arm_list)
  (sequence)
  (equation)
  (array_expression)
  (struct_expression)
  (tuple_expression)
  (parenthesized_expression)
  (arguments)
  (parameters)
  (with_loop)
] @indent.begin

(pipe_expression) @indent.begin

["}" "]" ")"] @indent.branch @indent.end
