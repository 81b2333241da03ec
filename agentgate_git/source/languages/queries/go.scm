; Go. What the names mean: go.py.
(comment) @comment
(call_expression function: (_) @call.name arguments: (argument_list) @call.args) @call
(function_declaration name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(method_declaration name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(func_literal body: (_) @lambda.body) @lambda
(const_spec name: (identifier) @constant.name value: (expression_list . (_) @constant.value .)) @constant
(var_spec name: (identifier) @constant.name value: (expression_list . (_) @constant.value .)) @constant
(short_var_declaration
  left: (expression_list . (identifier) @constant.name .)
  right: (expression_list . [(binary_expression) (selector_expression) (true) (false) (unary_expression)
                               (call_expression function: (selector_expression))] @constant.value .)) @constant
(return_statement) @return
(if_statement condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_statement) @loop
(expression_case) @branch
(default_case) @branch
(type_case) @branch
(communication_case) @branch
(defer_statement) @defer
(go_statement) @spawn
(composite_literal type: [(slice_type) (array_type) (implicit_length_array_type)] body: (_) @table.body) @table
(composite_literal type: (map_type) @table.map body: (_) @table.body) @table
(var_spec name: (identifier) @tables.name value: (expression_list . (composite_literal body: (_) @tables.body) .)) @tables
(continue_statement) @continue
((assignment_statement
  left: (expression_list . (identifier) @drop.blank .) right: (expression_list . (identifier) @drop.value .)) @drop
  (#eq? @drop.blank "_"))
