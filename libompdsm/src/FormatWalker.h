// FormatWalker.h: reads the format strings of printf and scanf, and asks for the memory that their
// arguments name.
//
// Not understood, and left without asking: formats with numbered arguments (%1$s). From the first
// such conversion on nothing is asked for.
#pragma once
#include <cstdarg>
#include <cstddef>

namespace ompdsm {

/// Read permission for the strings, and write permission for the counts (%n), that a call of printf
/// touches, the format included. `arguments` is consumed.
void ensurePrintfArguments(const char *format, va_list arguments);

/// Write permission for what a call of scanf stores. `inputBytes` bounds the texts without a width
/// (%s, %[); kUnknownInput where the input is a stream.
inline constexpr std::size_t kUnknownInput = 4096;
void ensureScanfArguments(const char *format, va_list arguments, std::size_t inputBytes);

} // namespace ompdsm
