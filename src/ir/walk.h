// Walks over the operands of nodes, for queries and rewrites that treat most kinds alike. Types of
// nodes are not operands, so a walk does not enter them.
#ifndef ADZE_IR_WALK_H
#define ADZE_IR_WALK_H

#include "base/map.h"
#include "ir/node.h"

/// The result of a visit. INTO visits the operands of the node next, OVER skips them, and STOP ends
/// the whole walk.
typedef enum { WALK_INTO, WALK_OVER, WALK_STOP } Walk;
typedef Walk NodeVisitor(Node *n, void *env);

/// Calls `visit` for `n` and then for the nodes below it, in order, once for each occurrence.
/// Returns whether a visit ended the walk.
bool node_walk(Node *n, NodeVisitor *visit, void *env);

/// Like node_walk, but visits each distinct node only once, and is therefore linear in the size of
/// a term that shares nodes. Skips nodes that are in `seen` from earlier walks.
bool node_walk_once(Map *seen, Node *n, NodeVisitor *visit, void *env);

/// Whether the test holds for `n` or for some node below it.
typedef bool NodeTest(Node *n, void *env);
bool node_any(Node *n, NodeTest *test, void *env);

/// Rebuilds `n` bottom-up: `rewrite` is called with each node, whose operands have already been
/// rewritten, and returns the node that replaces it. Each distinct node is rewritten once, so the
/// result must not depend on the position of the node (de Bruijn variables keep their indices).
typedef Node *NodeRewrite(Session *cx, Node *n, void *env);
Node *node_rewrite(Session *cx, Node *n, NodeRewrite *rewrite, void *env);

#endif
