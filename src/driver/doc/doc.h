// The reference of a library, from its doc comments: modules and items (collect.c), comments as
// blocks of text (comment.c), cross-references (names.c), and the two formats (markdown.c, html.c).
#ifndef ADZE_DRIVER_DOC_H
#define ADZE_DRIVER_DOC_H

#include "base/map.h"
#include "driver/system/system.h"
#include "syntax/tree/ast.h"

/// A part of a doc comment. Text may contain `code`.
typedef enum { DOC_TEXT, DOC_ITEM, DOC_EXAMPLE } DocBlockKind;

typedef struct {
    DocBlockKind kind;
    const char *text; // a paragraph or an item of a list on one line; an example with its lines
} DocBlock;
typedef VEC(DocBlock) DocBlocks;

/// An item of a module. Its signature is what the source says before its body.
typedef struct {
    const Item *item;
    const char *name, *anchor, *signature;
    DocBlocks blocks;
    int line;
} DocItem;

/// A module. The prelude has the name "prelude".
typedef struct {
    const char *name, *page; // the name of its page, without extension
    uint32_t file;
    const Module *tree;
    DocBlocks intro; // the comment at the head of the file
    VEC(DocItem *) items;
    Map by_name; // from Sym to DocItem
} DocModule;

typedef struct {
    Session *cx;
    const char *title;
    VEC(DocModule *) modules;
    Map by_name; // from the Sym of a module's name to DocModule
} DocSet;

// collect.c
/// Parses the file as the module `name` and adds it. Returns false after an error, which is
/// reported in the session.
bool doc_add_module(DocSet *set, const char *path, const char *name);
/// What an item is, such as "fn".
const char *doc_kind(const Item *item);

// comment.c
/// Divides a comment into paragraphs, items of lists, and examples. An example is a paragraph after
/// the first that parses as an expression, line by line or as a whole, or lines between ```.
DocBlocks doc_blocks(Arena *arena, const char *comment);
/// The first sentence of a comment; "" if it has none.
const char *doc_sentence(Arena *arena, const DocBlocks *blocks);

// names.c
/// What a name refers to: an item, or a module if `item` is NULL.
typedef struct {
    const DocModule *module;
    const DocItem *item;
} DocTarget;
/// Finds the name in the scope of a module: its own items, imported ones, those of the prelude, or
/// a module. Returns false if there is none.
bool doc_find(const DocSet *set, const DocModule *scope, const char *name, size_t len,
              DocTarget *target);
/// Receives a piece of a text, and what it refers to, or NULL.
typedef void DocPiece(void *env, const char *text, size_t len, const DocTarget *target);
/// Divides code into pieces. The parameters of `item`, which may be NULL, refer to nothing.
void doc_code_pieces(const DocSet *set, const DocModule *scope, const DocItem *item,
                     const char *code, size_t len, DocPiece *piece, void *env);
/// Divides text without `code` into pieces: names of modules, and names before ( or [, are
/// references.
void doc_text_pieces(const DocSet *set, const DocModule *scope, const DocItem *item,
                     const char *text, size_t len, DocPiece *piece, void *env);

// markdown.c, html.c: the text of the reference as files of the folder `dir`
typedef VEC(FileText) DocFiles;
/// Adds the one document PATH.
void doc_markdown(const DocSet *set, const char *path, DocFiles *out);
/// Adds an overview, a page for each module and for its source, and the search.
void doc_html(const DocSet *set, const char *dir, DocFiles *out);

#endif
