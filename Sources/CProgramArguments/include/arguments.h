// The words that a program was started with.

#ifndef PROGRAM_ARGUMENTS_H
#define PROGRAM_ARGUMENTS_H

/// The words, the program's name first, and how many they are; with the C library of GNU only.
char *_Nullable *_Nullable program_arguments(int *_Nonnull count);

#endif
