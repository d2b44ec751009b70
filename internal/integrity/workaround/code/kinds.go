package code

import (
	"strings"

	"workflow-reviewer/internal/syntax"
)

// maker makes a Node of a syntax node, nil if it has no shape of its own.
type maker func(syntax.Node) *Node

// makers says what each kind of syntax node becomes, in all grammars.
func (b *builder) makers() map[string]maker {
	out := map[string]maker{}
	for _, row := range []struct {
		make  maker
		kinds string
	}{
		{b.identifier, "identifier type_identifier field_identifier property_identifier private_property_identifier package_identifier shorthand_property_identifier " +
			"constant hash_key_symbol predefined_type primitive_type shorthand_field_identifier statement_identifier"},
		{b.text(Name, "self"), "this self this_expression"},
		{b.text(Name, "super"), "super base base_expression"},
		{b.asWritten(Name), "class_variable global_variable discard"},
		{b.instanceVariable, "instance_variable"},
		{b.path, "dotted_name"},
		{b.shorthand, "shorthand_property_identifier_pattern"},
		{b.str, "string string_literal interpreted_string_literal raw_string_literal template_string interpolated_string_expression verbatim_string_literal " +
			"character_literal char_literal rune_literal character text_block simple_symbol delimited_symbol string_array_element bare_string bare_symbol"},
		{b.concat, "concatenated_string chained_string"},
		{b.number, "integer float number int_literal float_literal integer_literal real_literal decimal_integer_literal hex_integer_literal octal_integer_literal " +
			"binary_integer_literal decimal_floating_point_literal rational complex imaginary_literal"},
		{b.boolean, "true false boolean_literal"},
		{b.value(None), "none nil null undefined null_literal"},
		{b.value(Regex), "regex regex_literal"},

		{b.binaryOf, "binary_expression binary_operator boolean_operator binary instanceof_expression is_expression"},
		{b.comparison, "comparison_operator"},
		{b.unary, "unary_expression unary_operator not_operator unary prefix_unary_expression negative_literal"},
		{b.isPattern, "is_pattern_expression"},
		{b.ternary, "conditional_expression ternary_expression conditional"},
		{b.update, "update_expression inc_statement dec_statement postfix_unary_expression postfix_expression"},
		{b.cast, "as_expression satisfies_expression cast_expression type_cast_expression type_assertion type_conversion_expression"},

		{b.member, "attribute member_expression selector_expression field_access field_expression member_access_expression scoped_identifier " +
			"scoped_type_identifier scope_resolution qualified_name nested_identifier method_reference qualified_type"},
		{b.conditionalAccess, "conditional_access_expression"},
		{b.index, "subscript subscript_expression index_expression array_access element_reference element_access_expression"},
		{b.call, "call call_expression method_invocation invocation_expression new_expression object_creation_expression " +
			"implicit_object_creation_expression macro_invocation explicit_constructor_invocation command_call array_creation_expression"},
		{b.keyword, "keyword_argument argument"},

		{b.all(List), "list tuple set array array_expression tuple_expression array_initializer collection_expression pattern_list tuple_pattern list_pattern " +
			"array_pattern left_assignment_list right_assignment_list string_array symbol_array variable_list or_pattern union_pattern slice_pattern parenthesized_variable_designation"},
		{b.expressions, "expression_list"},
		{b.all(Dict), "dictionary object hash object_pattern dict_pattern"},
		{b.pair, "pair keyed_element pair_pattern"},
		{b.composite, "composite_literal struct_expression"},
		{b.braced, "literal_value initializer_expression anonymous_object_creation_expression"},

		{b.function, "function_definition function_declaration method_declaration func_literal function_expression arrow_function generator_function " +
			"generator_function_declaration method_definition constructor_declaration compact_constructor_declaration lambda_expression anonymous_method_expression " +
			"function_item closure_expression method singleton_method operator_declaration conversion_operator_declaration local_function_statement static_initializer " +
			"class_static_block lambda destructor_declaration do_block"},
		{b.decorated, "decorated_definition"},
		{b.class, "class_definition class_declaration class module singleton_class struct_declaration record_declaration interface_declaration enum_declaration " +
			"impl_item trait_item abstract_class_declaration record_struct_declaration internal_module namespace_declaration file_scoped_namespace_declaration mod_item"},

		{b.conditional, "if_statement if_expression if elif_clause elsif unless if_modifier unless_modifier"},
		{b.choice, "switch_statement switch_expression expression_switch_statement type_switch_statement match_expression match_statement case case_match select_statement"},
		{b.loop, "for_statement while_statement do_statement for_in_statement enhanced_for_statement foreach_statement for_expression while_expression " +
			"loop_expression for while until while_modifier until_modifier"},
		{b.comprehension, "list_comprehension set_comprehension dictionary_comprehension generator_expression"},
		{b.try, "try_statement begin try_with_resources_statement"},
		{b.anyBlock, "block statement_block unsafe_block async_block const_block"},
		{b.with, "with_statement using_statement lock_statement synchronized_statement fixed_statement"},

		{b.assignment, "assignment assignment_expression augmented_assignment augmented_assignment_expression assignment_statement operator_assignment " +
			"compound_assignment_expr short_var_declaration let_declaration let_condition"},
		{b.declare, "named_expression variable_declarator public_field_definition field_definition static_item const_item var_spec const_spec"},
		{b.several, "lexical_declaration variable_declaration local_variable_declaration field_declaration var_declaration const_declaration constant_declaration var_spec_list"},
		{b.property, "property_declaration"},
		{b.returns, "return_statement return_expression return yield_statement"},
		{b.all(Raise), "raise_statement throw_statement throw_expression"},
		{b.asPattern, "as_pattern"},
		{b.lastOf, "labeled_statement"},

		{b.imports, "import_statement import_from_statement future_import_statement import_declaration use_declaration using_directive"},
		{b.asWritten(Other), "extern_crate_declaration package_clause package_declaration"},
	} {
		for _, kind := range strings.Fields(row.kinds) {
			out[kind] = row.make
		}
	}
	return out
}

// all makes a node of all that is in a syntax node.
func (b *builder) all(kind Kind) maker {
	return func(n syntax.Node) *Node { return b.make(kind, n, b.nodes(n.Named())...) }
}

// text makes a node with a text.
func (b *builder) text(kind Kind, text string) maker {
	return func(n syntax.Node) *Node { return b.named(kind, n, text) }
}

// asWritten makes a node with the source as its text.
func (b *builder) asWritten(kind Kind) maker {
	return func(n syntax.Node) *Node { return b.named(kind, n, n.Text()) }
}

// value makes a Literal with the source as its value.
func (b *builder) value(t Type) maker {
	return func(n syntax.Node) *Node {
		v := Value{Type: t}
		if t != None {
			v.Text = n.Text()
		}
		return b.literal(n, v)
	}
}

// transparent kinds stand for what is in them.
var transparent = setOf("parenthesized_expression parenthesized_statements non_null_expression expression_statement await await_expression reference_expression " +
	"try_expression literal_element argument global_statement_item constant_pattern case_pattern pattern expression_list declaration_expression " +
	"local_declaration_statement equals_value_clause export_statement match_pattern field_initializer parenthesized_pattern block_argument else_clause " +
	"checked_expression ref_expression reference_pattern ref_pattern mut_pattern primary_expression")

// holders only hold statements together.
var holders = setOf("statement_list body_statement block_body then export_statement declaration_list class_body field_declaration_list enum_body " +
	"enum_body_declarations interface_body constructor_body import_spec_list switch_body_list")

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
