"""The numbers that libclang gives to cursors, types and operators (its C interface keeps them stable).

>>> BINARY[15], ASSIGN[26]
('==', '+')
"""

from __future__ import annotations

# declarations
UNEXPOSED_DECL, STRUCT_DECL, UNION_DECL, FIELD_DECL, ENUM_CONSTANT_DECL, FUNCTION_DECL, VAR_DECL, PARM_DECL = (
    1,
    2,
    3,
    6,
    7,
    8,
    9,
    10,
)
TYPEDEF_DECL, TYPE_REF, MEMBER_REF, LABEL_REF = 20, 43, 47, 48

# expressions
UNEXPOSED_EXPR, DECL_REF_EXPR, MEMBER_REF_EXPR, CALL_EXPR = 100, 101, 102, 103
INTEGER_LITERAL, FLOATING_LITERAL, IMAGINARY_LITERAL, STRING_LITERAL, CHARACTER_LITERAL = 106, 107, 108, 109, 110
PAREN_EXPR, UNARY_OPERATOR, ARRAY_SUBSCRIPT_EXPR, BINARY_OPERATOR, COMPOUND_ASSIGNMENT = 111, 112, 113, 114, 115
CONDITIONAL_OPERATOR, CSTYLE_CAST_EXPR, COMPOUND_LITERAL_EXPR, INIT_LIST_EXPR = 116, 117, 118, 119
ADDR_LABEL_EXPR, STATEMENT_EXPR, GENERIC_SELECTION_EXPR, UNARY_EXPR = 120, 121, 122, 136
EXPRESSIONS = range(100, 200)

# statements
UNEXPOSED_STMT, LABEL_STMT, COMPOUND_STMT, CASE_STMT, DEFAULT_STMT, IF_STMT, SWITCH_STMT = range(200, 207)
WHILE_STMT, DO_STMT, FOR_STMT, GOTO_STMT, INDIRECT_GOTO_STMT = range(207, 212)
CONTINUE_STMT, BREAK_STMT, RETURN_STMT, ASM_STMT = range(212, 216)
MS_ASM_STMT, NULL_STMT, DECL_STMT = 229, 230, 231
TRANSLATION_UNIT = 350
ATTRIBUTES = range(400, 500)

# operators
BINARY = {
    3: "*",
    4: "/",
    5: "%",
    6: "+",
    7: "-",
    8: "<<",
    9: ">>",
    11: "<",
    12: ">",
    13: "<=",
    14: ">=",
    15: "==",
    16: "!=",
    17: "&",
    18: "^",
    19: "|",
}
LOGICAL_AND, LOGICAL_OR, PLAIN_ASSIGN, COMMA = 20, 21, 22, 33
ASSIGN = {23: "*", 24: "/", 25: "%", 26: "+", 27: "-", 28: "<<", 29: ">>", 30: "&", 31: "^", 32: "|"}
POST_INC, POST_DEC, PRE_INC, PRE_DEC, ADDRESS_OF, DEREF, PLUS, MINUS, NOT, LOGICAL_NOT = range(1, 11)
REAL, IMAGINARY, EXTENSION = 11, 12, 13

# types
T_INVALID, T_UNEXPOSED, T_VOID, T_BOOL = 0, 1, 2, 3
T_COMPLEX, T_POINTER, T_BLOCK_POINTER, T_RECORD, T_ENUM = 100, 101, 102, 105, 106
T_FUNCTION_NO_PROTO, T_FUNCTION, T_CONSTANT_ARRAY, T_VECTOR, T_INCOMPLETE_ARRAY, T_VARIABLE_ARRAY = range(110, 116)
ARRAYS = (T_CONSTANT_ARRAY, T_INCOMPLETE_ARRAY, T_VARIABLE_ARRAY)
T_ATOMIC = 177
INTEGERS = {  # kind -> signed, C's name
    3: (False, "_Bool"),
    4: (False, "char"),
    5: (False, "unsigned char"),
    8: (False, "unsigned short"),
    9: (False, "unsigned int"),
    10: (False, "unsigned long"),
    11: (False, "unsigned long long"),
    12: (False, "unsigned __int128"),
    13: (True, "char"),
    14: (True, "signed char"),
    16: (True, "short"),
    17: (True, "int"),
    18: (True, "long"),
    19: (True, "long long"),
    20: (True, "__int128"),
}

# storage classes and linkage
S_EXTERN, S_STATIC = 2, 3
L_INTERNAL, L_EXTERNAL = 2, 4
