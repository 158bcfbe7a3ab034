#define TRACE do { hipDeviceSynchronize(); } while (0);
