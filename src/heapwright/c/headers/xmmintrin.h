/* Vectors of four floats (SSE). A vector is opaque, and what its operations compute is not known. */
#ifndef HEAPWRIGHT_XMMINTRIN_H
#define HEAPWRIGHT_XMMINTRIN_H
#include <stddef.h>
#define _MM_HINT_T0 3
#define _MM_SHUFFLE(a, b, c, d) ((a) << 6 | (b) << 4 | (c) << 2 | (d))
typedef struct {
    float lanes[4];
} __m128;
__m128 _mm_add_ps(__m128 left, __m128 right);
__m128 _mm_sub_ps(__m128 left, __m128 right);
__m128 _mm_mul_ps(__m128 left, __m128 right);
__m128 _mm_div_ps(__m128 left, __m128 right);
__m128 _mm_max_ps(__m128 left, __m128 right);
__m128 _mm_min_ps(__m128 left, __m128 right);
__m128 _mm_and_ps(__m128 left, __m128 right);
__m128 _mm_or_ps(__m128 left, __m128 right);
__m128 _mm_xor_ps(__m128 left, __m128 right);
__m128 _mm_cmplt_ps(__m128 left, __m128 right);
__m128 _mm_cmpeq_ps(__m128 left, __m128 right);
__m128 _mm_unpacklo_ps(__m128 left, __m128 right);
__m128 _mm_unpackhi_ps(__m128 left, __m128 right);
__m128 _mm_movelh_ps(__m128 left, __m128 right);
__m128 _mm_movehl_ps(__m128 left, __m128 right);
__m128 _mm_shuffle_ps(__m128 left, __m128 right, unsigned int mask);
__m128 _mm_sqrt_ps(__m128 value);
__m128 _mm_rcp_ps(__m128 value);
__m128 _mm_rsqrt_ps(__m128 value);
__m128 _mm_set1_ps(float value);
__m128 _mm_set_ps1(float value);
__m128 _mm_setzero_ps(void);
__m128 _mm_set_ps(float a, float b, float c, float d);
__m128 _mm_setr_ps(float a, float b, float c, float d);
__m128 _mm_load_ps(const float *source);
__m128 _mm_loadu_ps(const float *source);
void _mm_store_ps(float *target, __m128 value);
void _mm_storeu_ps(float *target, __m128 value);
void _mm_store_ss(float *target, __m128 value);
float _mm_cvtss_f32(__m128 value);
int _mm_movemask_ps(__m128 value);
void _mm_sfence(void);
#define _mm_prefetch(address, hint) __builtin_prefetch(address)
void *_mm_malloc(size_t size, size_t alignment);
void _mm_free(void *block);
#endif
