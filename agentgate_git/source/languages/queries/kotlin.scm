; Kotlin. What the names mean: kotlin.py.
(line_comment) @comment
(block_comment) @comment
(annotation) @marker
(file_annotation) @marker
(class_declaration name: (_) @type.name (class_body) @type.body) @type
(object_declaration name: (_) @type.name (class_body) @type.body) @type
(function_declaration name: (_) @function.name (function_value_parameters) @function.params (function_body) @function.body) @function
(call_expression . (_) @call.name (value_arguments) @call.args) @call
(call_expression . (_) @call.name (annotated_lambda (lambda_literal) @call.block)) @call
(infix_expression . (_) @infix.left . (identifier) @infix.op . (_) @infix.right) @infix
(lambda_literal) @lambda
(property_declaration (variable_declaration (identifier) @constant.name)
  [(binary_expression) (call_expression) (identifier) (navigation_expression) (unary_expression)] @constant.value) @constant
(return_expression) @return
(throw_expression) @throw
(if_expression condition: (_) @if.condition . (_) @if.then) @if
(for_statement) @loop
(while_statement) @loop
(when_entry) @branch
(try_expression . (block) @try.body) @try
(catch_block (user_type) @handler.type (block) @handler.body) @handler
