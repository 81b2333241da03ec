; Dart. What the names mean: dart.py.
(comment) @comment
(documentation_comment) @comment
(annotation) @marker
(selector (argument_part (arguments) @call.args)) @call
(function_expression body: (_) @lambda.body) @lambda
(function_signature name: (_) @signature.name) @signature
(local_function_declaration (lambda_expression
  parameters: (function_signature name: (_) @function.name) body: (function_body) @function.body)) @function
(return_statement) @return
(if_statement consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_statement) @loop
(while_statement) @loop
(switch_statement_case) @branch
(try_statement body: (_) @try.body) @try
(catch_clause) @handler
(initialized_variable_definition name: (_) @constant.name value: (_) @constant.value) @constant
