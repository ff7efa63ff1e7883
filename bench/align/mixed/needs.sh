#!/bin/sh
sh bench/align/needs.sh "$1"
