// The table of primitive strategies.
#include "core/rule.h"

const PrimitiveInfo primitive_info[PRIMITIVE_COUNT] = {
#define PRIMITIVE(id, name, args, doc) {name, args, doc},
#include "core/strategy.def"
#undef PRIMITIVE
};
