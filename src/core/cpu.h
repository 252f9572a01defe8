/*
 * Which of several kernels with the same results this processor is to run. Wide ones are
 * compiled for x86 alone: elsewhere CPU_IF does not even name them.
 */
#ifndef CORE_CPU_H
#define CORE_CPU_H

#if defined(__x86_64__) || defined(__i386__)
#define CPU_IF(condition, wide, base) ((condition) ? (wide) : (base))
#else
#define CPU_IF(condition, wide, base) (base)
#endif

/* What CPU_IF may ask. The one for AVX-512 names all that a kernel's file is compiled with
 * beside AVX2. */
#define CPU_AVX2 __builtin_cpu_supports("avx2")
#define CPU_AVX512_F_VL_BW_DQ                                                                  \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&                \
     __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
#define CPU_AVX512_F_VBMI2_VPOPCNTDQ                                                           \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vbmi2") &&             \
     __builtin_cpu_supports("avx512vpopcntdq"))

#endif
