package io.quotaenforcer.schemas.mapping;

import java.util.function.Supplier;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Checks of single fields; each failure names the field. */
final class Fields {
  private static final int MAX_VALUE_CHARS = 100;

  private Fields() {}

  static <T> T required(@Nullable T value, String field) {
    if (value == null) {
      throw new IllegalArgumentException("must be there: " + field);
    }
    return value;
  }

  static void check(boolean holds, String must, String field, @Nullable Object value) {
    if (!holds) {
      throw new IllegalArgumentException(must + ": " + field + "=" + shortened(value));
    }
  }

  /** Returns the result of {@code read}; its exceptions gain the name of the field. */
  static <T> T read(String field, Supplier<T> read) {
    try {
      return read.get();
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "must be a regular expression: " + field + ": " + e.getDescription(), e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + shortened(e.getMessage()), e);
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= MAX_VALUE_CHARS * 2 ? text : text.substring(0, MAX_VALUE_CHARS) + "…";
  }
}
