// How the test was built. Its C compiler compiles the C that it makes, too: the suite is built by each in turn. Under sanitizers, which
// take several times as long, it makes do with fewer cases.
#ifndef TESTS_THIS_CC_H
#define TESTS_THIS_CC_H

#ifdef __clang__
#define THIS_CC  "clang"
#define OTHER_CC "gcc"
#else
#define THIS_CC  "gcc"
#define OTHER_CC "clang"
#endif

#ifdef ADZE_DEBUG
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#endif
