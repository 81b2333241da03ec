; C and C++. What the names mean: cpp.py.
(comment) @comment
(function_definition
  declarator: (function_declarator declarator: (_) @function.name parameters: (_) @function.params)
  body: (compound_statement) @function.body) @function
(preproc_function_def name: (_) @macro.name value: (_) @macro.body) @macro
(call_expression function: (_) @call.name arguments: (_) @call.args) @call
(lambda_expression body: (_) @lambda.body) @lambda
(return_statement) @return
(throw_statement) @throw
(if_statement condition: (condition_clause value: (_) @if.condition) consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_statement) @loop
(for_range_loop) @loop
(while_statement) @loop
(case_statement) @branch
(try_statement body: (_) @try.body) @try
(catch_clause parameters: (_) @handler.type body: (_) @handler.body) @handler
(init_declarator declarator: (identifier) @constant.name
  value: [(binary_expression) (true) (false) (number_literal) (unary_expression)] @constant.value) @constant
(preproc_if condition: (_) @if.condition alternative: (_)? @if.else) @if
(preproc_ifdef "#ifdef" name: (_) @if.condition alternative: (_)? @if.else) @if
(preproc_call) @directive
(continue_statement) @continue
