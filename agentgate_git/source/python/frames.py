"""Comparisons of tables, columns and indexes: what their keywords leave out, and how far off values may be."""

from __future__ import annotations

import ast

from agentgate_git.source.python.tolerances import Knower

# What is left out where a keyword is false, or where it is true.
_WHEN_FALSE = {
    **dict.fromkeys(("check_dtype", "check_dtypes", "check_datetimelike_compat_dtype"), "dtype"),
    **dict.fromkeys(("check_index_type", "check_column_type", "check_series_type", "check_frame_type"), "type"),
    **dict.fromkeys(("check_order", "check_row_order", "check_column_order", "check_category_order"), "order"),
    **dict.fromkeys(("check_names", "check_columns"), "names"),
    **dict.fromkeys(("check_index", "check_index_values"), "index"),
    **dict.fromkeys(("check_categorical",), "categories"),
    **dict.fromkeys(("check_freq", "check_flags", "check_attrs", "check_indexes"), "attributes"),
}
_WHEN_TRUE = {"check_like": "order", "check_datetimelike_compat": "dtype", "categorical_as_str": "categories"}
_ABSOLUTE, _RELATIVE = ("atol", "abs_tol"), ("rtol", "rel_tol")


def left_out(call: ast.Call, flow: Knower) -> str:
    """What a comparison of two tables does not look at, in words; empty where it looks at all."""
    found = set()
    for one in call.keywords:
        known = flow.constant(one.value)
        if known is False and one.arg in _WHEN_FALSE:
            found.add(_WHEN_FALSE[one.arg])
        elif known is True and one.arg in _WHEN_TRUE:
            found.add(_WHEN_TRUE[one.arg])
    return ", ".join(sorted(found))


def margin(call: ast.Call, flow: Knower) -> float:
    """The largest difference of two values of size 1 that the keywords ask for; 0 where they ask for none."""
    given = (flow.constant(one.value) for one in call.keywords if one.arg in (*_ABSOLUTE, *_RELATIVE))
    numbers = [float(one) for one in given if isinstance(one, int | float) and not isinstance(one, bool)]
    return max(numbers, default=0.0)
