package io.quotaenforcer.schemas.avro;

/**
 * A record of a topic, or a part of one. Generated from its schema; immutable but for what it
 * holds.
 */
public interface WireRecord {
  /** Its type, with the schema that it is written by. */
  RecordType<?> type();

  /** Writes its fields, as Avro's binary encoding has them. */
  void write(BinaryOutput out);
}
