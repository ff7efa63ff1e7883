#!/bin/sh
sh bench/gemm/needs.sh
