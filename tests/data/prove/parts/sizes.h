#pragma once
#define THREADS 768
