#!/bin/sh
# What bench/sac shares.
echo "-Ibench/sac bench/sac/library.c"
