package io.quotaenforcer.lab.it;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.avro.Shape;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A version to come, which knows one more enforcement: its rules look the same, by another name.
 */
final class NewerVersion {
  private static final Shape SCHEMA =
      Shape.parse(
          QuotaRule.TYPE
              .shape()
              .text()
              .replace("\"PER_INSTANCE\"", "\"PER_INSTANCE\",\"ADAPTIVE\""));
  private static final long FINGERPRINT = SCHEMA.fingerprint();

  private NewerVersion() {}

  static byte[] encode(Rule rule, Wire wire) {
    byte[] bytes = wire.encode(rule, 0);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(2, FINGERPRINT);
    return bytes;
  }

  static String announcementKey() {
    return "%sQuotaRule/%016x".formatted(Topics.SCHEMA_KEY, FINGERPRINT);
  }

  static byte[] announcement() {
    return SCHEMA.text().getBytes(StandardCharsets.UTF_8);
  }
}
