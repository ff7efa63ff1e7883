#!/bin/sh
# gcc believes that the result of a call that fails is used.
sh bench/align/needs.sh && echo -Wno-maybe-uninitialized
