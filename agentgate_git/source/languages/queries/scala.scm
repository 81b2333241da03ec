; Scala. What the names mean: scala.py.
(comment) @comment
(block_comment) @comment
(annotation) @marker
(class_definition name: (_) @type.name body: (_) @type.body) @type
(object_definition name: (_) @type.name body: (_) @type.body) @type
(function_definition name: (_) @function.name body: (_) @function.body) @function
(call_expression function: (_) @call.name arguments: (_) @call.args) @call
(infix_expression left: (_) @infix.left operator: (_) @infix.op right: (_) @infix.right) @infix
(lambda_expression) @lambda
(val_definition pattern: (identifier) @constant.name
  value: [(infix_expression) (field_expression) (call_expression) (boolean_literal) (prefix_expression)] @constant.value) @constant
(return_expression) @return
(throw_expression) @throw
(if_expression condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_expression) @loop
(while_expression) @loop
(match_expression) @branch
(try_expression body: (_) @try.body) @try
(catch_clause) @handler
(catch_clause (case_block (case_clause pattern: (_) @handler.type))) @handler
(block (identifier) @word @word.name)
