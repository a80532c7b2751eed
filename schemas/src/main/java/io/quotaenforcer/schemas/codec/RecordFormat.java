package io.quotaenforcer.schemas.codec;

import java.util.Locale;
import java.util.Optional;

/** What records are written as; readers know both. */
public enum RecordFormat {
  /** Confluent's wire format, with an id of the schema registry. */
  REGISTRY,

  /** Avro's single-object encoding, with the fingerprint of the schema. */
  SINGLE_OBJECT;

  /** Name of the setting. */
  public static final String KEY = "record.format";

  /** As settings spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * What is wrong with a format when there is a registry, or none; empty when all is well.
   *
   * @param format as it was set
   */
  public static Optional<String> complaint(Optional<RecordFormat> format, boolean hasRegistry) {
    return format.filter(REGISTRY::equals).isPresent() && !hasRegistry
        ? Optional.of("must have schema.registry.url: " + KEY + "=" + REGISTRY.word())
        : Optional.empty();
  }
}
