// The names of passes and stages.
#include "driver/pipeline/pipeline.h"

const PassInfo pass_info[PASS_COUNT] = {
#define PASS(id, from, to, purpose) {#id, STAGE_##from, STAGE_##to, purpose},
#include "pipeline.def"
};

const char *const stage_name[STAGE_COUNT] = {"text", "ast",  "core", "flat",   "low",
                                             "dpia", "loop", "c",    "kernels"};
