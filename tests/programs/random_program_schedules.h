// Schedules of random programs: rules and strategies of the library, and strategies of the
// program's own, in sequence. `try` skips a step that does not apply.
#ifndef ADZE_TESTS_RANDOM_PROGRAM_SCHEDULES_H
#define ADZE_TESTS_RANDOM_PROGRAM_SCHEDULES_H

#include "programs/random_program_scope.h"

/// Rules of std.rules and std.vector_rules; below, those that take a number.
static const char *const schedule_rules[] = {
    "fuse_maps",
    "split_map",
    "remove_map",
    "insert_map",
    "insert_transposes",
    "remove_transposes",
    "first_before_second",
    "unswitch",
    "interchange",
    "interchange_rows",
    "interchange_generates",
    "interchange_zips",
    "lift_fold",
    "lift_fold_over",
    "lift_fold_rows",
    "lift_fold_first",
    "lift_fold_second",
    "lift_reduce",
    "sink_fold",
    "store",
    "store_local",
    "store_soa",
    "store_start",
    "remove_store",
    "insert_copy",
    "remove_copy",
    "to_circular",
    "to_window",
    "reduce_in_order",
    "generate_in_order",
    "scan_in_order",
    "scan_in_parallel",
    "scan_ex_in_parallel",
    "concat_in_place",
    "transpose_in_place",
    "join_in_place",
    "map_in_place",
    "fold_in_place",
    "maps_before_transpose",
    "transpose_before_maps",
    "split_before_map",
    "map_before_split",
    "split_inside_zip",
    "join_before_map",
    "map_before_join",
    "transpose_before_zips",
    "transpose_of_zips",
    "map_before_concat",
    "concat_before_map",
    "concat_outside_map",
    "empty_apart",
    "map_before_reverse",
    "reverse_before_map",
    "remove_reverses",
    "reverse_before_concat",
    "rotate_before_map",
    "map_before_rotate",
    "map_before_repeat",
    "gather_before_map",
    "gather_of_gather",
    "join_of_split",
    "split_of_join",
    "split_before_split",
    "join_inside_join",
    "join_outside_join",
    "split_after_transpose",
    "splits_after_transpose",
    "transpose_after_splits",
    "transpose_after_join",
    "joins_after_transpose",
    "join_after_transposes",
    "transpose_after_joins",
    "zip_same",
    "zip_swap",
    "zip_rotate_left",
    "zip_rotate_right",
    "zip_in_pairs",
    "map_outside_zip",
    "map_outside_zip_first",
    "map_outside_zip_second",
    "map_outside_zip_same",
    "map_first_before_zip",
    "map_second_before_zip",
    "map_second_before_fold",
    "map_before_folds",
    "map_before_started_folds",
    "map_outside_pair",
    "generate_outside_pair",
    "map_first_of_zip",
    "map_second_of_zip",
    "zip_components",
    "unzip_of_zip",
    "zip_of_unzip",
    "first_of_unzip",
    "second_of_unzip",
    "first_of_pair",
    "second_of_pair",
    "at_of_generate",
    "at_of_map",
    "at_of_zip",
    "at_of_transpose",
    "map_to_generate",
    "generate_to_map",
    "fuse_map_generate",
    "zip_of_generates",
    "flatten_generates",
    "generate_of_repeated",
    "remove_slice",
    "slice_of_slice",
    "slice_before_map",
    "slice_before_generate",
    "slice_inside_zip",
    "slice_outside_zip",
    "slice_outside_pair",
    "slice_inside_if",
    "slice_before_slide",
    "slice_before_split",
    "take_before_join",
    "drop_before_join",
    "slice_before_transpose",
    "slices_before_transpose",
    "take_of_concat",
    "drop_of_concat",
    "concat_parts",
    "remove_clamp",
    "remove_pad",
    "slice_of_clamp",
    "slice_of_pad",
    "map_before_clamp",
    "map_before_mirror",
    "map_before_wrap",
    "map_before_pad",
    "clamp_before_map",
    "mirror_before_map",
    "wrap_before_map",
    "clamp_inside_zip",
    "clamp_before_transpose",
    "clamp_columns",
    "pad_to_concat",
    "transpose_before_pad",
    "reduce_to_fold",
    "fuse_reduce_map",
    "fuse_fold_map",
    "split_fold",
    "fuse_fold_generate",
    "pair_reductions",
    "reduce_before_join",
    "fold_before_join",
    "sum_columns",
    "factor_inside_sum",
    "factor_to_second",
    "start_of_sum",
    "start_after_sum",
    "fold_before_concat",
    "reduce_before_concat",
    "fuse_folds",
    "scalars_of_vectors",
    "vectors_of_scalars",
    "align_slide",
    "lift_lane",
    "lift_same",
    "lift_add",
    "lift_subtract",
    "lift_multiply",
    "lift_divide",
    "lift_min",
    "lift_max",
    "lift_negate",
    "lift_sqrt",
    "lift_abs",
    "lift_less",
    "lift_less_or_equal",
    "lift_equal",
    "lift_choice",
    "lift_choice_or_same",
    "lift_same_or_choice",
    "as_windows",
    "drop_in_slide",
    "take_in_slide",
    "slide_before_map",
    "map_before_slide",
    "slide_before_split",
    "slide_before_slide",
    "slide_outside_zip",
    "slide_inside_zip",
    "slide_before_transpose",
    "slide_columns",
    "separate_dot_rows",
    "separate_dot_columns",
};

static const char *const schedule_rules_of_number[] = {
    "split_join",
    "split_join_rem",
    "as_blocks",
    "as_parts",
    "scan_in_lanes",
    "scan_ex_in_lanes",
    "few_apart",
    "small_product_apart",
    "small_product_apart_from",
    "split_generate",
    "pad_sums",
    "blocked_fold",
    "blocked_fold_rem",
    "blocked_fold_rest_first",
    "blocked_reduce",
    "blocked_reduce_rem",
    "split_reduce",
    "split_reduce_rem",
    "interleave_sum",
    "blocked_scan",
    "blocked_iterate",
    "as_vectors",
    "round_up",
    "map_in_vectors",
    "map_two_in_vectors",
    "map_three_in_vectors",
    "sum_in_vectors",
    "vectors_and_rest",
    "windows_in_vectors",
    "windows_and_rest",
    "overlap",
    "blocks_of_windows",
};

/// Strategies of std.strategies.
static const char *const schedule_strategies[] = {
    "fuse",
    "fission",
    "window",
    "circular_buffer",
    "separate",
    "unroll",
    "parallelise",
    "parallelise_result",
    "lower",
    "lower_omp",
    "lower_c",
    "in_place",
    "tidy",
    "tidy_zips",
    "swap_loops",
    "lift_reduction",
    "sum_rows",
    "columns_as_rows",
    "rewrite_normal_form",
    "codegen_normal_form",
    "inline",
    "open_pair",
    "blocks([4, 1])",
    "blocks([3, 2, 1])",
    "block(2)",
    "tile([2, 2])",
    "tile([3])",
    "vectorise(4)",
    "vectorise_any(4)",
    "vectorise_windows_any(4)",
    "vectorise_as(2)",
    "raise(1)",
    "raise(2)",
    "reorder([2, 1])",
    "reorder([2, 3, 1])",
    "split_reductions(2)",
    "rotate(2)",
    "parallel_blocks(3, id)",
    "parallel_blocks(4, map_in_lanes(4))",
    "strips(2, id)",
    "strips(3, line_by_line(4))",
    "line_by_line(4)",
    "register_block([2, 4])",
    "register_tiles([2, 1], [4, 2])",
    "cache_block([2, 4], 2)",
};

// A number: a parameter of the schedule, or a literal.
static inline void put_schedule_number(Gen *g, bool named)
{
    if (named && chance(g, 40))
        put(g, chance(g, 50) ? "size" : "lanes");
    else
        text_printf(g->out, "%d", 1 + below(g, 5));
}

static inline void put_rule(Gen *g, bool named)
{
    if (chance(g, 75)) {
        put(g, PICK(g, schedule_rules));
        return;
    }
    put(g, PICK(g, schedule_rules_of_number));
    put(g, "(");
    put_schedule_number(g, named);
    put(g, ")");
}

// A rule somewhere in the program.
static inline void put_rule_somewhere(Gen *g, bool named)
{
    static const char *const traversals[] = {"top_down",
                                             "bottom_up",
                                             "outermost(is_map)",
                                             "innermost(is_map)",
                                             "outermost(is_reduce)",
                                             "innermost(is_fold)",
                                             "every(is_map)",
                                             "every(is_reduce)"};
    put(g, "try(");
    put_rule(g, named);
    text_printf(g->out, " @ %s)", PICK(g, traversals));
}

static inline void put_step(Gen *g, bool named, int depth)
{
    int choice = below(g, depth > 0 ? 12 : 8);
    if (choice < 4) {
        text_printf(g->out, "try(%s)", PICK(g, schedule_strategies));
    } else if (choice < 8) {
        put_rule_somewhere(g, named);
    } else if (choice == 8) {
        put(g, "try({ ");
        put_rule(g, named);
        put(g, "; ");
        put_step(g, named, depth - 1);
        put(g, " })");
    } else if (choice == 9) {
        put(g, "{ ");
        put_rule(g, named);
        put(g, " <+ ");
        put_step(g, named, depth - 1);
        put(g, " }");
    } else if (choice == 10) {
        put(g, chance(g, 50) ? "try(body({ " : "try(source({ ");
        put_step(g, named, depth - 1);
        put(g, " }))");
    } else {
        text_printf(g->out, "q%d(", g->program);
        put_schedule_number(g, named);
        put(g, ", ");
        put_step(g, named, depth - 1);
        put(g, ")");
    }
}

/// A strategy of the program's own, which takes a number and a strategy, and the schedule of entry
/// p<number>.
static inline void put_schedule(Gen *g)
{
    static const char *const targets[] = {"", "", " for omp", " for c"};
    bool named = chance(g, 30);
    text_printf(g->out, "strategy q%d(k: nat, s: strategy) {\n", g->program);
    put_step(g, false, 0);
    text_printf(g->out,
                ";\nif k > %d { s } else { try(split_join(k + 1) @ outermost(is_map)); s }\n}\n",
                below(g, 4));
    text_printf(g->out, "schedule p%d%s", g->program, PICK(g, targets));
    if (named)
        text_printf(g->out, "(size = %d, lanes = tune(%d, %d))", 1 + below(g, 5), 1 + below(g, 8),
                    4);
    text_printf(g->out, "%s {\n", g->inexact ? " allow reassociate" : "");
    if (chance(g, 20)) put(g, g->inexact ? "auto;\n" : "generates_to_maps;\n");
    for (int i = below(g, 4) + 1; i > 0; i--) put_step(g, named, 2), put(g, ";\n");
    put(g, "}\n");
}

#endif
