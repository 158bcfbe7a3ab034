#pragma once
constexpr int kThreads = 128, kRows = 4;
