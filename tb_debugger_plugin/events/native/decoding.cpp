// All that decodes, in one translation unit: a record passes through every part, and calls between them cost as much as
// what they do.
#include "crc32c.cpp"
#include "decoders.cpp"
#include "framing.cpp"
#include "tensors.cpp"
#include "vocabulary.cpp"
