#include "../eyelight/case.c"
