// Staging of one entry: its body is evaluated on variables for its parameters.
#include "staging/internal.h"

static Node *evaluate_entry(Stage *s, Node **params)
{
    const Function *f = s->entry;
    Scope scope = {NULL, NULL, s->root};
    for (int i = 0; i < f->params.len; i++) {
        params[i] = stage_variable(s, f->params.at[i].type, f->params.at[i].name);
        scope.env = stage_env_push(s, scope.env, known_term(s, params[i]));
    }
    const Known *v = stage_evaluate(s, f->body, scope);
    if (v->kind == KNOWN_ERROR) return NULL;
    return stage_block_close(s, s->root, stage_data(s, v, f->body->origin));
}

Function *staging_run(Session *cx, const Program *p, const Function *entry)
{
    Arena *arena = arena_new();
    Stage s = {.cx = cx, .arena = arena, .program = p, .entry = entry};
    s.specials = map_new(arena);
    s.memo = map_new(arena);
    s.hints = map_new(arena);
    s.failing = map_new(arena);
    s.facts = facts_new(cx, arena, NULL);
    s.root = stage_block(&s, NULL);
    stage_entry_checks(&s);
    Node **params = ARENA_ARRAY(arena, Node *, entry->params.len + 1);
    Node *body = s.failed ? NULL : evaluate_entry(&s, params);
    if (body && !s.failed) body = stage_finish(&s, body, entry->params.len, params);
    if (body && !s.failed) stage_check_sizes(&s, body);
    Function *flat = NULL;
    if (!s.failed && body) {
        flat = ARENA_NEW(cx->arena, Function);
        *flat = *entry;
        flat->body = body;
        flat->checks = s.checks;
    }
    arena_delete(arena);
    return flat;
}
