; Swift. What the names mean: swift.py.
(comment) @comment
(multiline_comment) @comment
(attribute) @marker
(class_declaration name: (_) @type.name body: (_) @type.body) @type
(function_declaration name: (simple_identifier) @function.name body: (_) @function.body) @function
(call_expression . (_) @call.name (call_suffix (value_arguments) @call.args)) @call
((call_expression . (simple_identifier) @call.name (call_suffix . (lambda_literal))) @call
  (#any-of? @call.name "withKnownIssue" "XCTExpectFailure"))
(macro_invocation (simple_identifier) @assert.name (call_suffix (value_arguments) @assert.args)) @assert
(lambda_literal) @lambda
(property_declaration name: (pattern (simple_identifier) @constant.name) value: (_) @constant.value) @constant
(control_transfer_statement) @transfer
((if_statement (_) @if.condition . "{" . (statements) @if.then) @if (#not-eq? @if.condition "else"))
(if_statement (else) . "{" . (statements) @if.else) @if
(if_statement (else) . (if_statement) @if.else) @if
(guard_statement condition: (_) @unless.condition (statements) @unless.then) @unless
(for_statement) @loop
(while_statement) @loop
(switch_entry) @branch
(do_statement (catch_block)) @try
(do_statement (statements) @try.body (catch_block)) @try
(catch_block) @handler
(directive) @directive
