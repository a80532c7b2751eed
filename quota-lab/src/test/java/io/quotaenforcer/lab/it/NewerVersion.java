package io.quotaenforcer.lab.it;

import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * A version to come, which knows one more enforcement: its rules look the same, by another name.
 */
final class NewerVersion {
  private static final Schema SCHEMA =
      new Schema.Parser()
          .parse(
              SchemaNormalization.toParsingForm(QuotaRule.getClassSchema())
                  .replace("\"PER_INSTANCE\"", "\"PER_INSTANCE\",\"ADAPTIVE\""));
  private static final long FINGERPRINT = SchemaNormalization.parsingFingerprint64(SCHEMA);

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
    return SchemaNormalization.toParsingForm(SCHEMA).getBytes(StandardCharsets.UTF_8);
  }
}
