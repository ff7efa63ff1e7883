// Evaluates an expression in the scope of a program, compiled or interpreted, for `adze run` and
// `adze repl`.
#ifndef ADZE_DRIVER_EVALUATE_H
#define ADZE_DRIVER_EVALUATE_H

#include "driver/sizes/sizes.h"

/// The expression as a function of the loaded files and values.
typedef struct {
    Ast *ast;
    Loads *loads;
    Function *function;
    const char *const *paths; // the paths of the files, one per parameter
    const AdzeArray **leaves; // the contents of each file
} Expression;

/// The resources of an evaluation, which are freed even after an internal compiler error.
typedef struct {
    Stage level; // the level at which to interpret: STAGE_CORE, STAGE_DPIA or STAGE_LOOP
    Loads loads;
    Library *library;
    AdzeArray *leaves; // the entry's outputs; the last ones are the leaves of the value
    int nleaves;
    double started, compiled; // when it started and when compilation ended, in seconds
} Evaluation;

/// Sets *level to the LEVEL of --interpret[=LEVEL], or to that of the reference interpreter if none
/// is given. Reports an error and returns false if there is no such interpreter.
bool evaluation_find_level(const Options *o, Stage *level);
/// Frees what an evaluation has loaded and computed.
void evaluation_free(Evaluation *r);

// --- expression.c --------------------------------------------------------------------------------

/// Adds the text of an expression to the session. Returns its file number, or 0 if the text is not
/// UTF-8, which is reported.
uint32_t expression_source(Session *cx, const char *text);
/// Infers the expression `e` in the scope of w->program, and loads the files that it names. Reports
/// errors and returns false after one.
bool expression_infer(const Work *w, Ast *e, Loads *loads, Expression *x);

// --- interpret.c ---------------------------------------------------------------------------------

/// Interprets the expression, and stores its value in r->leaves, as compiled code does. Reports a
/// failure and returns false.
bool evaluate_interpreted(Driver *d, const Work *w, const Expression *x, Evaluation *r);

/// The result of evaluate_briefly.
typedef enum { BRIEF_DONE, BRIEF_FAILED, BRIEF_GIVEN_UP } Brief;
/// Like evaluate_interpreted, but gives up if that takes long, as it does for large arrays, or is
/// not possible, as it is not for C functions. What the program printed until then is dropped.
Brief evaluate_briefly(Driver *d, const Work *w, const Expression *x, Evaluation *r);

/// If the interpreter soon fails at the same position, replaces the outcome with the interpreter's
/// and returns true. In code for any sizes, the message about a violated size condition contains
/// names that the user did not write.
bool interpret_failure(Session *cx, const Work *w, const Expression *x, Outcome *o);

// --- compiled.c ----------------------------------------------------------------------------------

/// Compiles the expression and calls the code, which stores its value in r->leaves. With --time,
/// also reports the times. Reports a failure and returns false.
bool evaluate_compiled(Driver *d, const Work *w, const Expression *x, Evaluation *r);

// --- result.c ------------------------------------------------------------------------------------

/// Returns the number of elements of an array, counting at most `limit` in each dimension. If the
/// rows are empty, counts the rows instead, since a small file can have more empty rows than fit in
/// memory.
int64_t result_parts(const AdzeArray *a, int64_t limit);
/// Whether the array fits in memory as a Value, in which each row is a Value too. If not, reports
/// E0606.
bool result_has_value(Session *cx, const AdzeArray *a);
/// Prints the value, or puts it into the report of --json. Returns false after an error.
bool result_print(Driver *d, Node *type, const AdzeArray *leaves, int n);

#endif
