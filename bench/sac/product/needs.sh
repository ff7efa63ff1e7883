#!/bin/sh
# What bench/sac shares.
echo "-Ibench/sac"
