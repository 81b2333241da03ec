; Java. What the names mean: java.py.
(line_comment) @comment
(block_comment) @comment
(marker_annotation) @marker
(annotation) @marker
(class_declaration name: (_) @type.name body: (_) @type.body) @type
(annotation_type_declaration name: (_) @type.name body: (_) @type.body) @type
(record_declaration name: (_) @type.name body: (_) @type.body) @type
(interface_declaration name: (_) @type.name body: (_) @type.body) @type
(method_declaration name: (_) @function.name parameters: (_) @function.params body: (_) @function.body) @function
(method_invocation name: (_) @call.name arguments: (_) @call.args) @call
(object_creation_expression type: (_) @new.name arguments: (_) @new.args) @new
(lambda_expression body: (_) @lambda.body) @lambda
(variable_declarator name: (_) @constant.name
  value: [(binary_expression) (method_invocation) (true) (false) (unary_expression) (decimal_integer_literal)
          (string_literal)] @constant.value) @constant
(return_statement) @return
(throw_statement) @throw
(if_statement condition: (_) @if.condition consequence: (_) @if.then alternative: (_)? @if.else) @if
(for_statement) @loop
(enhanced_for_statement) @loop
(while_statement) @loop
(switch_block_statement_group) @branch
(switch_rule) @branch
(try_statement body: (_) @try.body) @try
(try_with_resources_statement body: (_) @try.body) @try
(catch_clause (catch_formal_parameter (catch_type) @handler.type) body: (_) @handler.body) @handler
(assert_statement . (_) @condition) @check
(continue_statement) @continue
