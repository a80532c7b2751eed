package io.quotaenforcer.schemas.codec;

import java.util.Locale;
import java.util.Optional;

/** Format in which records are written; readers understand both. */
public enum RecordFormat {
  /** Confluent's wire format, with an id of the schema registry. */
  REGISTRY,

  /** Avro's single-object encoding, with the fingerprint of the schema. */
  SINGLE_OBJECT;

  /** Name of the setting. */
  public static final String KEY = "record.format";

  /** The format's name in settings. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The problem with a format, given that there is a registry or not; empty if there is none.
   *
   * @param format as configured
   */
  public static Optional<String> complaint(Optional<RecordFormat> format, boolean hasRegistry) {
    return format.filter(REGISTRY::equals).isPresent() && !hasRegistry
        ? Optional.of("must have schema.registry.url: " + KEY + "=" + REGISTRY.word())
        : Optional.empty();
  }
}
