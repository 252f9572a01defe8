/*
 * Asks which instructions this processor has, to choose one of several versions of a function
 * that give the same results. Versions with wide vectors are compiled for x86 alone: on other
 * machines CPU_IF expands to code that does not name them.
 */
#pragma once

#if defined(__x86_64__) || defined(__i386__)
#define CPU_IF(condition, wide, base) ((condition) ? (wide) : (base))
#else
#define CPU_IF(condition, wide, base) (base)
#endif

/* Conditions for CPU_IF: whether the processor has certain extensions. A file that is compiled
 * for AVX-512 uses several of its extensions besides AVX2; the condition for functions of that
 * file asks for each of them. */
#define CPU_AVX2 __builtin_cpu_supports("avx2")
#define CPU_AVX512_F_VL_BW_DQ                                                                  \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&                \
     __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
#define CPU_AVX512_F_VBMI2_VPOPCNTDQ                                                           \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi2") &&             \
     __builtin_cpu_supports("avx512vpopcntdq"))
