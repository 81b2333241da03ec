; Rust. What the names mean: rust.py.
(line_comment) @comment
(block_comment) @comment
(attribute_item) @marker
(inner_attribute_item) @marker @directive
(mod_item name: (_) @module.name !body) @module
(mod_item name: (_) @type.name body: (_) @type.body) @type
(function_item name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(call_expression function: (_) @call.name arguments: (_) @call.args) @call
(macro_invocation macro: (_) @assert.name (token_tree) @assert.args) @assert
(macro_definition name: (_) @macro.name) @macro
(closure_expression body: (_) @lambda.body) @lambda
(const_item name: (_) @constant.name value: (_) @constant.value) @constant
(return_expression) @return
(if_expression condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_expression) @loop
(while_expression) @loop
(loop_expression) @loop
(match_arm) @branch
(continue_expression) @continue
(let_declaration pattern: "_" value: (identifier) @drop.value) @drop
