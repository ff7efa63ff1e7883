// Versions of functions in SIMD mode, for one lane or with a mask.
#include "infer/elaborate/elaborate.h"

// The version for one lane has the values of that lane as parameters, followed by the lane number.
// The masked version has a mask as its last parameter.
void elab_simd_version(Infer *in, const Symbol *y)
{
    Session *cx = in->cx;
    Body *b = y->body;
    Elab x = {.b = b, .cx = cx};
    bool masks = infer_keeps_masks(in, y);
    Node *lanes = y->signature->simd;
    const Function *all = map_get(&in->program.by_name, MAP_KEY(y->full));
    Function *f = elab_new_function(cx, y, masks ? elab_masked_name(&x, y) : elab_lane_name(&x, y));
    f->entry = false;
    f->result = masks ? all->result : type_of_lane(cx, all->result);
    f->checks = all->checks;
    for (int i = 0; i < all->params.len; i++) {
        Param p = all->params.at[i];
        if (!masks) p.type = type_of_lane(cx, p.type);
        p.filter = NULL;
        vec_push(cx->arena, &f->params, p);
    }
    Param last = {session_sym(cx, "lane"), type_idx(cx, lanes), NULL};
    if (masks)
        last = (Param){session_sym(cx, "come"), type_varying(cx, lanes, infer_boolean(b)), NULL};
    vec_push(cx->arena, &f->params, last);
    elab_add_filters(f, &(Demand){y, NULL, f}, masks ? elab_closed : elab_lane_closed);
    node_begin(cx);
    f->body = masks ? elab_masked_body(b, f->params.len) : elab_lane_body(b, f->params.len);
    map_put(&in->program.by_name, MAP_KEY(f->name), f);
    vec_push(cx->arena, &in->program.functions, f);
}
