; Bash and bats. What the names mean: shell.py.
(comment) @comment
(function_definition name: (_) @function.name body: (_) @function.body) @function
(command name: (_) @call.name) @call
(test_command) @check
(list) @list
(if_statement condition: (_) @if.condition) @if
(for_statement) @loop
(while_statement) @loop
(case_item) @branch
(subshell) @lambda
(negated_command) @negated
