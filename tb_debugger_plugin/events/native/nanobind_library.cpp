// nanobind's own code, compiled with the extension: setuptools takes no sources from outside the checkout.
#include <nb_combined.cpp>
