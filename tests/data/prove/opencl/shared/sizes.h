#ifndef SIZES_H
#define SIZES_H
#define LANES 96
#endif
