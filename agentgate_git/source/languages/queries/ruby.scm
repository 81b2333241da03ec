; Ruby. What the names mean: ruby.py.
(comment) @comment
(class name: (_) @type.name body: (_) @type.body) @type
(module name: (_) @type.name body: (_) @type.body) @type
(method name: (_) @function.name body: (_) @function.body) @function
(call method: (_) @call.name) @call
(call arguments: (_) @call.args) @call
(call block: (_) @call.block) @call
(body_statement [(identifier) @word @word.name])
(block_body [(identifier) @word @word.name])
(then [(identifier) @word @word.name])
(if_modifier body: (identifier) @word @word.name)
(unless_modifier body: (identifier) @word @word.name)
(do_block) @lambda
(block) @lambda
(assignment left: [(constant) (identifier)] @constant.name
  right: [(binary) (call) (true) (false) (identifier) (element_reference)] @constant.value) @constant
(return) @return
(next) @return
(if condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(unless condition: (_) @unless.condition consequence: (_) @unless.then alternative: (_)? @unless.else) @unless
(if_modifier body: (_) @if.then condition: (_) @if.condition) @if
(unless_modifier body: (_) @unless.then condition: (_) @unless.condition) @unless
(while) @loop
(for) @loop
(when) @branch
(begin (rescue)) @try
(body_statement (rescue)) @try
(rescue) @handler
(rescue exceptions: (_) @handler.type) @handler
(rescue body: (_) @handler.body) @handler
