// What kernels of the compiler are compiled with, as C++ (driver.cpp).
#include <cmath>
#include <cstring>
#include <utility>

using namespace std;

#include "device.h"
