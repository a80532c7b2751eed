package io.quotaenforcer.cli;

import io.quotaenforcer.core.QuotaKey;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the text of a quota key from the command line. */
final class QuotaKeyConverter implements ITypeConverter<QuotaKey> {
  @Override
  public QuotaKey convert(String text) {
    try {
      return QuotaKey.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
