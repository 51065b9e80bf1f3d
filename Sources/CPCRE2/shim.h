/* The types of PCRE2 for UTF-8; its functions are looked up when the first pattern is compiled. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The functions that are called, by the names that archtool has for them. */
#define ARCHTOOL_PCRE2(F) \
  F(compile, pcre2_compile_8) \
  F(freeCode, pcre2_code_free_8) \
  F(makeCompileContext, pcre2_compile_context_create_8) \
  F(freeCompileContext, pcre2_compile_context_free_8) \
  F(limitNesting, pcre2_set_parens_nest_limit_8) \
  F(makeMatchContext, pcre2_match_context_create_8) \
  F(freeMatchContext, pcre2_match_context_free_8) \
  F(limitMatch, pcre2_set_match_limit_8) \
  F(limitDepth, pcre2_set_depth_limit_8) \
  F(limitHeap, pcre2_set_heap_limit_8) \
  F(setCallout, pcre2_set_callout_8) \
  F(makeMatchData, pcre2_match_data_create_8) \
  F(freeMatchData, pcre2_match_data_free_8) \
  F(match, pcre2_match_8) \
  F(matchedRanges, pcre2_get_ovector_pointer_8) \
  F(errorMessage, pcre2_get_error_message_8)

#define ARCHTOOL_POINTER(name, function) __typeof__(function) *_Nonnull name;
#define ARCHTOOL_NAME(name, function) #function,

/* Pointers to them. */
struct archtool_pcre2 {
  ARCHTOOL_PCRE2(ARCHTOOL_POINTER)
};

/* Their names: those that the library has, NULL, those that it may lack, NULL. */
static inline const char *_Nullable const *_Nonnull archtool_pcre2_names(void) {
  static const char *const names[] = {ARCHTOOL_PCRE2(ARCHTOOL_NAME) 0, 0};
  return names;
}

#undef ARCHTOOL_POINTER
#undef ARCHTOOL_NAME
