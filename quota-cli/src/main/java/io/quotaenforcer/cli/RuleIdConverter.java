package io.quotaenforcer.cli;

import io.quotaenforcer.core.RuleId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code domain/id} from the command line. */
final class RuleIdConverter implements ITypeConverter<RuleId> {
  @Override
  public RuleId convert(String text) {
    try {
      return RuleId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
