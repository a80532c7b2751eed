package io.quotaenforcer.enforcer.deadletters;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** The headers of dead letters and of redriven records. */
final class LetterHeaders {
  static final String REASON = "reason";
  static final String TOPIC = "topic";
  static final String PARTITION = "partition";
  static final String TIMESTAMP = "timestamp";
  static final String DEFERRED_ID = "deferred-id";
  static final String CUT_FROM = "cut-from";

  /** Place of the letter, in the record that marks it as redriven. */
  static final String REDRIVEN = "redriven";

  private LetterHeaders() {}

  static Optional<String> get(Headers headers, String name) {
    Header header = headers.lastHeader(name);
    return header == null || header.value() == null
        ? Optional.empty()
        : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
  }

  /** A time, if present and readable: anyone may write headers. */
  static Optional<Long> millis(Headers headers, String name) {
    return get(headers, name).filter(text -> text.matches("[0-9]{1,18}")).map(Long::valueOf);
  }

  static void add(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
