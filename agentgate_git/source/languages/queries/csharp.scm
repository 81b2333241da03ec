; C#. What the names mean: csharp.py.
(comment) @comment
(attribute) @marker
(preproc_pragma) @directive
(class_declaration name: (_) @type.name body: (_) @type.body) @type
(method_declaration name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(local_function_statement name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(invocation_expression function: (_) @call.name arguments: (_) @call.args) @call
(lambda_expression body: (_) @lambda.body) @lambda
(variable_declarator name: (_) @constant.name
  [(binary_expression) (invocation_expression) (boolean_literal) (prefix_unary_expression)
   (member_access_expression)] @constant.value) @constant
(variable_declarator name: (_) @constant.name (await_expression (invocation_expression) @constant.value)) @constant
(return_statement) @return
(throw_statement) @throw
(if_statement condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_statement) @loop
(foreach_statement) @loop
(while_statement) @loop
(switch_section) @branch
(try_statement body: (_) @try.body) @try
(catch_clause body: (_) @handler.body) @handler
(catch_clause (catch_declaration type: (_) @handler.type) body: (_) @handler.body) @handler
(preproc_if condition: (_) @if.condition alternative: (_)? @if.else) @if
(continue_statement) @continue
