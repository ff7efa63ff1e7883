[
  (block)
  (field_list)
  (option_list)
  (arm_list)
  (sequence)
  (equation)
  (array_expression)
  (arguments)
  (parameters)
] @fold
