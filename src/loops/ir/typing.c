// The Loop IR typing rules. Core operators follow the Core rules, which are applied lane by lane to
// vectors. Statements and addresses have no type.
#include "loops/ir/loops.h"

static Node *refused(const char **why, const char *what)
{
    *why = what;
    return NULL;
}

static Node *given(const NodeSpec *s, const char **why, const char *what)
{
    return s->type ? s->type : refused(why, what);
}

static bool is_lanes(Node *t, int64_t *lanes)
{
    return t && type_is_vec(t, lanes) && type_is_scalar(t->op[1], NULL);
}

static Node *splat_type(const NodeSpec *s, const char **why)
{
    int64_t lanes;
    if (!s->type) return refused(why, "a splat needs a type");
    if (s->nops != 1 || !is_lanes(s->type, &lanes) || s->type->op[1] != s->ops[0]->type)
        return refused(why, "a splat is a vector of its operand");
    return s->type;
}

static Node *iota_type(const NodeSpec *s, const char **why)
{
    int64_t lanes;
    Scalar element;
    if (!s->type) return refused(why, "iota needs a type");
    if (!is_lanes(s->type, &lanes) || !type_is_scalar(s->type->op[1], &element) ||
        element != SCALAR_I64)
        return refused(why, "iota is a vector of i64");
    return s->type;
}

static Node *mask_like(Session *cx, Node *type)
{
    int64_t lanes;
    return is_lanes(type, &lanes) ? type_vec(cx, lanes, type_scalar(cx, SCALAR_BOOL)) : NULL;
}

// Whether operands 2 and 3 of a gather of runs are the length of a run, and the number of a part.
static bool is_part(const NodeSpec *s)
{
    int64_t length, part;
    Scalar scalar;
    return s->nops == 4 && nat_is_const(s->ops[2], &length) && nat_is_const(s->ops[3], &part) &&
           type_is_scalar(type_lane(s->type), &scalar) && scalar_info[scalar].size == 4 &&
           (length == 2 || length == 4) && part >= 0 && part < length;
}

static Node *masked_load_type(Session *cx, const NodeSpec *s, const char **why)
{
    int64_t lanes;
    if (!s->type || !is_lanes(s->type, &lanes)) return refused(why, "a masked load needs a type");
    if (s->nops < 2 || s->ops[1]->type != mask_like(cx, s->type))
        return refused(why, "a masked load has a mask of as many lanes");
    Node *i64 = type_vec(cx, lanes, type_scalar(cx, SCALAR_I64));
    if (s->kind != LOOP_LOAD_WHERE && s->ops[0]->type != i64)
        return refused(why, "positions are a vector of i64 of as many lanes");
    if (s->kind == LOOP_GATHER_RUNS && !(lanes % 4 == 0 && is_part(s)))
        return refused(why, "runs have 2 or 4 elements of 4 bytes, and there are as many parts");
    return s->type;
}

// The result type of an operation on a mask.
static Node *of_mask(Session *cx, const NodeSpec *s, Scalar result, const char **why,
                     const char *what)
{
    if (s->nops != 1 || !s->ops[0]->type || s->ops[0]->type != mask_like(cx, s->ops[0]->type))
        return refused(why, what);
    return type_scalar(cx, result);
}

static Node *moved_type(Session *cx, const NodeSpec *s, const char **why)
{
    int64_t lanes;
    if (s->nops != 2 || !is_lanes(s->ops[0]->type, &lanes) ||
        s->ops[1]->type != mask_like(cx, s->ops[0]->type))
        return refused(why, "lanes are moved by a mask of as many");
    return s->ops[0]->type;
}

static Node *permuted_type(Session *cx, const NodeSpec *s, const char **why)
{
    int64_t of, lanes;
    Scalar element, number;
    bool vectors = s->nops == 2 && is_lanes(s->ops[0]->type, &of) &&
                   is_lanes(s->ops[1]->type, &lanes) && of <= lanes &&
                   type_is_scalar(type_lane(s->ops[0]->type), &element) &&
                   type_is_scalar(type_lane(s->ops[1]->type), &number);
    if (!vectors || element == SCALAR_BOOL || scalar_info[number].class != CLASS_INT ||
        scalar_info[element].size != scalar_info[number].size)
        return refused(why, "lanes are permuted by integers of their size");
    return type_vec(cx, lanes, type_lane(s->ops[0]->type));
}

static Node *lane_type(const NodeSpec *s, const char **why)
{
    int64_t lanes;
    if (s->nops != 2 || !is_lanes(s->ops[0]->type, &lanes))
        return refused(why, "a lane is one of a vector");
    return type_lane(s->ops[0]->type);
}

static Node *built_type(Session *cx, const NodeSpec *s, const char **why)
{
    Scalar scalar;
    bool fits = s->nops > 1 && s->ops[0]->type && type_is_scalar(s->ops[0]->type, &scalar);
    for (int i = 1; i < s->nops && fits; i++) fits = s->ops[i]->type == s->ops[0]->type;
    return fits ? type_vec(cx, s->nops, s->ops[0]->type)
                : refused(why, "a vector consists of scalars of a type");
}

static Node *shuffle_type(const NodeSpec *s, const char **why)
{
    int64_t lanes, from;
    if (s->nops < 2 || !is_lanes(s->ops[0]->type, &lanes) || s->ops[1]->type != s->ops[0]->type)
        return refused(why, "a shuffle is one of two vectors of a type");
    bool fits = s->nops == 2 + lanes;
    for (int i = 2; i < s->nops && fits; i++)
        fits = nat_is_const(s->ops[i], &from) && from >= 0 && from < 2 * lanes;
    return fits ? s->ops[0]->type : refused(why, "a shuffle has the number of a lane for each");
}

static bool is_condition(Node *t, Node *of)
{
    int64_t lanes, count;
    Scalar s;
    if (!t || !type_is_scalar(type_lane(t), &s) || s != SCALAR_BOOL) return false;
    if (t->kind != TYPE_VEC) return true;
    return is_lanes(t, &lanes) && is_lanes(of, &count) && lanes == count;
}

static Node *select_type(const NodeSpec *s, const char **why)
{
    if (s->nops != 3 || !s->ops[1]->type || s->ops[1]->type != s->ops[2]->type)
        return refused(why, "a selection between two types");
    if (s->ops[0]->type && s->ops[0]->type->kind == TYPE_VEC &&
        !is_condition(s->ops[0]->type, s->ops[1]->type))
        return refused(why, "a selection by other lanes");
    return s->ops[1]->type;
}

static bool on_vectors(const NodeSpec *s)
{
    for (int i = 0; i < s->nops; i++)
        if (s->ops[i]->type && s->ops[i]->type->kind == TYPE_VEC) return true;
    return false;
}

// Returns the type of an operator or cast on vectors, by applying the rule for scalars to one lane.
static Node *lanes_type(Session *cx, const NodeSpec *s, const char **why)
{
    int64_t lanes, other;
    Node *ops[3];
    if (s->nops < 1 || s->nops > 3) return refused(why, "not an operator on vectors");
    if (!s->ops[0]->type || !is_lanes(s->ops[0]->type, &lanes))
        return refused(why, "vectors and scalars together");
    for (int i = 0; i < s->nops; i++) {
        Node *t = s->ops[i]->type;
        if (!t || !is_lanes(t, &other) || other != lanes)
            return refused(why, "vectors of different lengths");
        ops[i] = node_make(
            cx,
            &(NodeSpec){.kind = LOOP_VAR, .attr.sym = session_sym(cx, "lane"), .type = t->op[1]});
    }
    if (s->type && (!is_lanes(s->type, &other) || other != lanes))
        return refused(why, "not a vector of as many lanes");
    NodeSpec one = *s;
    one.ops = ops;
    one.type = s->type ? s->type->op[1] : NULL;
    Node *type = core_type_rule(cx, &one, false, why);
    return type ? type_vec(cx, lanes, type) : NULL;
}

Node *loops_type_rule(Session *cx, const NodeSpec *s, const char **why)
{
    bool is_operator = s->kind == CORE_PRIM || s->kind == CORE_CAST;
    if (is_operator && on_vectors(s)) return lanes_type(cx, s, why);
    switch (s->kind) {
    case LOOP_VAR:
    case LOOP_LOAD: return given(s, why, "a local or a load needs a type");
    case LOOP_SELECT: return select_type(s, why);
    case LOOP_SPLAT: return splat_type(s, why);
    case LOOP_BUILD_VECTOR: return built_type(cx, s, why);
    case LOOP_IOTA: return iota_type(s, why);
    case LOOP_LOAD_WHERE:
    case LOOP_GATHER:
    case LOOP_GATHER_RUNS: return masked_load_type(cx, s, why);
    case LOOP_ANY: return of_mask(cx, s, SCALAR_BOOL, why, "any_lane takes a mask");
    case LOOP_COUNT: return of_mask(cx, s, SCALAR_I64, why, "count_lanes takes a mask");
    case LOOP_MASK_BITS: return of_mask(cx, s, SCALAR_U64, why, "bits_of_lanes takes a mask");
    case LOOP_COMPRESS:
    case LOOP_EXPAND: return moved_type(cx, s, why);
    case LOOP_LANE: return lane_type(s, why);
    case LOOP_SHUFFLE: return shuffle_type(s, why);
    case LOOP_PERMUTE: return permuted_type(cx, s, why);
    case LOOP_APART: return type_scalar(cx, SCALAR_BOOL);
    case LOOP_ADDRESS: return NULL;
#include "loops/ir/no_expression.def"
        break;
    }
    if (loop_roles[s->kind] & IS_STMT) return NULL;
    return core_type_rule(cx, s, false, why);
}
