#!/bin/sh
sh bench/align/needs.sh
