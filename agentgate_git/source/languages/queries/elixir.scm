; Elixir. What the names mean: elixir.py.
(comment) @comment
(unary_operator operator: "@" operand: (call target: (identifier) @marker.name (arguments) @marker.args)) @marker
(call target: (_) @call.name) @call
(call (arguments) @call.args) @call
(call (do_block) @call.block) @call
(call
  target: (identifier) @if.word (arguments . (_) @if.condition) (do_block) @if.then
  (#any-of? @if.word "if")) @if
(call
  target: (identifier) @if.word (arguments . (_) @unless.condition) (do_block) @unless.then
  (#any-of? @if.word "unless")) @unless
(call target: (identifier) @function.keyword (arguments . (call target: (identifier) @function.name))
  (do_block) @function.body (#any-of? @function.keyword "def" "defp")) @function
(call target: (identifier) @function.keyword
  (arguments . (call target: (identifier) @function.name) (keywords (pair value: (_) @function.body)))
  (#any-of? @function.keyword "def" "defp")) @function
(call target: (identifier) @function.keyword
  (arguments . (binary_operator left: (call target: (identifier) @function.name)))
  (do_block) @function.body (#any-of? @function.keyword "def" "defp")) @function
(anonymous_function) @lambda
(call target: (identifier) @t (do_block (rescue_block)) (#any-of? @t "try")) @try
(rescue_block) @handler
(catch_block) @handler
(stab_clause) @branch
