// Positions in arrays of rows.
#include "loops/nest/nest.h"

bool loops_in_row(Session *cx, const Facts *facts, Node *row_size, Node *position, RowPosition *out)
{
    *out = (RowPosition){nat_simplify(cx, facts, nat_div(cx, position, row_size)),
                         nat_simplify(cx, facts, nat_mod(cx, position, row_size))};
    return nat_add(cx, nat_mul(cx, out->row, row_size), out->rest) == position &&
           nat_ge0(cx, facts, out->rest) == TRUTH_YES &&
           nat_lt(cx, facts, out->rest, row_size) == TRUTH_YES;
}
