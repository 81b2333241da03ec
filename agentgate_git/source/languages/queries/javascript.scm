; JavaScript and TypeScript. What the names mean: javascript.py.
(comment) @comment

(call_expression function: (_) @call.name arguments: (_) @call.args) @call

(function_declaration name: (_) @function.name body: (_) @function.body) @function
(generator_function_declaration name: (_) @function.name body: (_) @function.body) @function
(method_definition name: (_) @function.name body: (_) @function.body) @function
(variable_declarator
  name: (identifier) @function.name
  value: [(arrow_function body: (_) @function.body) (function_expression body: (_) @function.body)]) @function

(arrow_function body: (_) @lambda.body) @lambda
(function_expression body: (_) @lambda.body) @lambda

(variable_declarator
  name: (identifier) @constant.name
  value: [(identifier) (member_expression) (subscript_expression) (call_expression) (true) (false) (number) (string)
          (null) (undefined) (unary_expression) (binary_expression) (parenthesized_expression)
          (ternary_expression)] @constant.value) @constant
(variable_declarator name: (identifier) @rows.name value: (array) @rows.value) @rows
(variable_declarator name: (identifier) @bundle.name value: (object) @bundle.value) @bundle
(variable_declarator
  name: (object_pattern
    (pair_pattern key: (property_identifier) @constant.key value: (identifier) @constant.name) @constant)
  value: [(identifier) (member_expression)] @constant.value)
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @constant @constant.name @constant.key)
  value: [(identifier) (member_expression)] @constant.value)
(import_specifier name: (identifier) @constant.value alias: (identifier) @constant.name) @constant

(assignment_expression
  left: (member_expression property: (_) @offered.name)
  right: [(arrow_function body: (_) @offered.body) (function_expression body: (_) @offered.body)]) @offered
(pair key: (property_identifier) @offered.name
  value: [(arrow_function body: (_) @offered.body) (function_expression body: (_) @offered.body)]) @offered

(function_expression name: (_) @offered.name body: (_) @offered.body) @offered

(return_statement) @return
(throw_statement) @throw
(if_statement condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(ternary_expression condition: (_) @if.condition consequence: (_) @if.then alternative: (_) @if.else) @if
(binary_expression left: (_) @if.condition operator: "&&" right: (_) @if.then) @if
(for_statement) @loop
(for_in_statement) @loop
(while_statement) @loop
(switch_case) @branch
(switch_default) @branch
(try_statement body: (_) @try.body) @try
(catch_clause body: (_) @handler.body) @handler
(await_expression) @await
(assignment_expression left: (_) @assign.left right: (_) @assign.right) @assign
(expression_statement (member_expression) @property)
(await_expression (member_expression) @property)
(return_statement (member_expression) @property)
(continue_statement) @continue
