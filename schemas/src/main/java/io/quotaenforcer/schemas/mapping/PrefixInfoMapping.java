package io.quotaenforcer.schemas.mapping;

import io.quotaenforcer.schemas.PrefixInfo;

/** The facts fixed for a topic prefix, to and from the wire. */
public final class PrefixInfoMapping {
  private static final int MAX_PARTITIONS = 10_000;
  private static final int MAX_INSTANCES = 1_000_000;

  private PrefixInfoMapping() {}

  /**
   * The record of a prefix.
   *
   * @param createdAtMillis when the prefix is first used, in milliseconds since 1970
   */
  public static PrefixInfo toRecord(
      io.quotaenforcer.core.message.PrefixInfo prefix, long createdAtMillis) {
    return new PrefixInfo(
        prefix.partitions(), prefix.hashVersion(), prefix.maxInstances(), createdAtMillis);
  }

  /** Throws IllegalArgumentException, naming the field, when a field cannot be right. */
  public static io.quotaenforcer.core.message.PrefixInfo fromRecord(PrefixInfo record) {
    between(record.partitions(), MAX_PARTITIONS, "partitions");
    between(record.hashVersion(), Integer.MAX_VALUE, "hashVersion");
    between(record.maxInstances(), MAX_INSTANCES, "maxInstances");
    return new io.quotaenforcer.core.message.PrefixInfo(
        record.partitions(), record.hashVersion(), record.maxInstances());
  }

  private static void between(int value, int most, String field) {
    Fields.check(value >= 1 && value <= most, "must be between 1 and " + most, field, value);
  }
}
