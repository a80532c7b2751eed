package io.quotaenforcer.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.cli.deadletters.DeadLetter;
import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.core.QuotaKey;
import java.time.Instant;

/** Dead letters as rows and as JSON. */
final class LetterRows {
  private LetterRows() {}

  static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  /** Place, time, original time, topic, id and bytes, followed by further columns. */
  static Object[] row(DeadLetter letter, String... more) {
    Object[] row = new Object[6 + more.length];
    row[0] = letter.place();
    row[1] = time(letter.millis());
    row[2] = letter.originalMillis().map(LetterRows::time).orElse("-");
    row[3] = letter.topic().isEmpty() ? "-" : letter.topic();
    row[4] = letter.id().isEmpty() ? "-" : letter.id();
    row[5] = Figures.number(letter.bytes());
    System.arraycopy(more, 0, row, 6, more.length);
    return row;
  }

  static ObjectNode json(DeadLetter letter) {
    ObjectNode json =
        Json.object()
            .put("place", letter.place())
            .put("time", time(letter.millis()))
            .put("topic", letter.topic())
            .put("reason", letter.reason())
            .put("id", letter.id())
            .put("bytes", letter.bytes());
    letter.originalMillis().ifPresent(millis -> json.put("originalTime", time(millis)));
    letter.quotaKey().map(QuotaKey::toString).ifPresent(key -> json.put("quotaKey", key));
    return json;
  }
}
