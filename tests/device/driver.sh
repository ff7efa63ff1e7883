# driver.sh: a driver of CUDA whose device is the CPU (driver.cpp), for the scripts of this folder.
# shellcheck shell=sh disable=SC2154 # scratch and here are those of common.sh

# How it compiles kernels, whose header is compiled here.
kernel_options="-std=c++17 -O1 -gdwarf-4 -fno-builtin -fno-omit-frame-pointer -fsanitize=thread -ffp-contract=off -fPIC -I$here"

# driver: builds it.
driver() {
    # shellcheck disable=SC2086 # several options
    mkdir "$scratch/lib" && clang -x c++-header $kernel_options "$here/kernels.h" -o "$scratch/lib/kernels.pch" &&
        clang -std=gnu17 -O2 -gdwarf-4 -fPIC -c "$here/device.c" -o "$scratch/lib/device.o" &&
        clang++ -std=c++17 -O1 -gdwarf-4 -Wall -Wextra -Werror -fPIC -shared "-DDEVICE_OPTIONS=\"$kernel_options\"" \
            "-DDEVICE_HEADERS=\"$scratch/lib/kernels.pch\"" \
            "$here/driver.cpp" "$scratch/lib/device.o" -o "$scratch/lib/libcuda.so.1" &&
        ln -s libcuda.so.1 "$scratch/lib/libnvrtc.so"
}

# with_driver COMMAND...: the command finds this driver.
with_driver() {
    LD_LIBRARY_PATH="$scratch/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@"
}
