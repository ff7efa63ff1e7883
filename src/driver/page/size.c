// Sizes as trees, which the page evaluates for numbers that the reader chooses.
#include "driver/page/page.h"

static json_t *list_of(const char *operator, Node * n)
{
    json_t *list = json_array();
    json_array_append_new(list, json_string(operator));
    for (uint32_t i = 0; i < n->nops; i++) json_array_append_new(list, page_size(n->op[i]));
    return list;
}

json_t *page_size(Node *size)
{
    switch ((Kind)size->kind) {
    case NAT_CONST: return json_integer(size->attr.i);
    case NAT_VAR: return json_text(size->attr.sym->text);
    case NAT_PRODUCT: {
        json_t *product = list_of("*", size);
        json_array_append_new(product, json_integer(size->attr.i));
        return product;
    }
    case NAT_SUM:
    case NAT_DIV:
    case NAT_MOD:
    case NAT_MIN:
    case NAT_MAX:
    case NAT_POW: return list_of(kind_info[size->kind].text, size);
    default: return json_null();
    }
}
