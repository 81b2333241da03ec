; PHP. What the names mean: php.py.
(comment) @comment
(attribute) @marker
(class_declaration name: (_) @type.name body: (_) @type.body) @type
(trait_declaration name: (_) @type.name body: (_) @type.body) @type
(method_declaration name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(function_definition name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(function_call_expression function: (_) @call.name arguments: (_) @call.args) @call
(member_call_expression name: (_) @call.name arguments: (_) @call.args) @call
(nullsafe_member_call_expression name: (_) @call.name arguments: (_) @call.args) @call
(scoped_call_expression name: (_) @call.name arguments: (_) @call.args) @call
(anonymous_function body: (_) @lambda.body) @lambda
(arrow_function body: (_) @lambda.body) @lambda
(return_statement) @return
(return_statement (array_creation_expression) @given.rows) @given
(throw_expression) @throw
(if_statement condition: (_) @if.condition body: (_) @if.then alternative: (_)? @if.else) @if
(for_statement) @loop
(foreach_statement) @loop
(while_statement) @loop
(case_statement) @branch
(try_statement body: (_) @try.body) @try
(catch_clause type: (_) @handler.type body: (_) @handler.body) @handler
(exit_statement) @exit
(continue_statement) @continue
(yield_expression) @yield
