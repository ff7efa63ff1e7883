(function_item) @local.scope
(pattern_item) @local.scope
(rule_item) @local.scope
(block) @local.scope
(lambda) @local.scope
(arm) @local.scope
(generator) @local.scope
(for_expression) @local.scope
(with_expression) @local.scope

(parameter name: (identifier) @local.definition)
(generic_parameter name: (identifier) @local.definition)
(name_binding name: (identifier) @local.definition)
(function_item name: (identifier) @local.definition)
(const_item name: (identifier) @local.definition)

(identifier) @local.reference
