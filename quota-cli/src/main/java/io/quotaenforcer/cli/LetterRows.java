package io.quotaenforcer.cli;

import io.quotaenforcer.cli.text.Figures;
import io.quotaenforcer.enforcer.api.LetterJson;
import io.quotaenforcer.enforcer.deadletters.DeadLetter;

/** Dead letters as rows. */
final class LetterRows {
  private LetterRows() {}

  /** Place, time, original time, topic, id and bytes, followed by further columns. */
  static Object[] row(DeadLetter letter, String... more) {
    Object[] row = new Object[6 + more.length];
    row[0] = letter.aside().place();
    row[1] = LetterJson.time(letter.aside().millis());
    row[2] = letter.origin().millis().map(LetterJson::time).orElse("-");
    row[3] = letter.origin().topic().isEmpty() ? "-" : letter.origin().topic();
    row[4] = letter.origin().id().isEmpty() ? "-" : letter.origin().id();
    row[5] = Figures.number(letter.content().bytes());
    System.arraycopy(more, 0, row, 6, more.length);
    return row;
  }
}
