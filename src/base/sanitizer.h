/*
 * SANITIZER_ADDRESS: 1 when built with AddressSanitizer, by gcc or clang; otherwise 0, and its
 * macros do nothing.
 */
#pragma once

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZER_ADDRESS 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#define SANITIZER_ADDRESS 1
#endif

#ifndef SANITIZER_ADDRESS
#define SANITIZER_ADDRESS 0
#endif

#if SANITIZER_ADDRESS
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(start, size)	 ((void)(start), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(start, size) ((void)(start), (void)(size))
#endif
