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
    row[0] = letter.aside().place();
    row[1] = time(letter.aside().millis());
    row[2] = letter.origin().millis().map(LetterRows::time).orElse("-");
    row[3] = letter.origin().topic().isEmpty() ? "-" : letter.origin().topic();
    row[4] = letter.origin().id().isEmpty() ? "-" : letter.origin().id();
    row[5] = Figures.number(letter.content().bytes());
    System.arraycopy(more, 0, row, 6, more.length);
    return row;
  }

  static ObjectNode json(DeadLetter letter) {
    ObjectNode json =
        Json.object()
            .put("place", letter.aside().place())
            .put("time", time(letter.aside().millis()))
            .put("topic", letter.origin().topic())
            .put("reason", letter.aside().reason())
            .put("id", letter.origin().id())
            .put("bytes", letter.content().bytes());
    letter.origin().millis().ifPresent(millis -> json.put("originalTime", time(millis)));
    letter.origin().quotaKey().map(QuotaKey::toString).ifPresent(key -> json.put("quotaKey", key));
    return json;
  }
}
