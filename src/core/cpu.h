/*
 * Asks which instructions this processor has, to choose one of several kernels that give the
 * same results. Kernels with wide vectors are compiled for x86 alone: elsewhere CPU_IF does
 * not even name them.
 */
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#define CPU_IF(condition, wide, base) ((condition) ? (wide) : (base))
#else
#define CPU_IF(condition, wide, base) (base)
#endif

/* Conditions for CPU_IF. A condition for AVX-512 names every extension, beside AVX2, that the
 * file with the kernel is compiled for. */
#define CPU_AVX2 __builtin_cpu_supports("avx2")
#define CPU_AVX512_F_VL_BW_DQ                                                                  \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&                \
     __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
#define CPU_AVX512_F_VBMI2_VPOPCNTDQ                                                           \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi2") &&             \
     __builtin_cpu_supports("avx512vpopcntdq"))
