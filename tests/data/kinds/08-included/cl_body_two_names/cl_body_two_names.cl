#define scan_body scan_int
#define TYPE int
#define SIZE 64
#include "scan.cl"
#undef scan_body
#undef TYPE
#undef SIZE
#define scan_body scan_double
#define TYPE double
#define SIZE 128
#include "scan.cl"
