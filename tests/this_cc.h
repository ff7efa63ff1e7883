// The C compiler that built the test, which compiles the C that it makes: the suite is built by each in turn.
#ifndef TESTS_THIS_CC_H
#define TESTS_THIS_CC_H

#ifdef __clang__
#define THIS_CC  "clang"
#define OTHER_CC "gcc"
#else
#define THIS_CC  "gcc"
#define OTHER_CC "clang"
#endif

#endif
