package io.quotaenforcer.cli.log;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/** The lines of a log, numbered from 1. Lines may be put back, to be taken again. */
final class LogLines {
  private final LineSplitter splitter;
  private final ArrayDeque<Line> givenBack = new ArrayDeque<>();
  private long number;

  LogLines(LineSplitter splitter) {
    this.splitter = splitter;
  }

  /**
   * A line.
   *
   * @param text empty if too long
   * @param end line break before the next line
   */
  record Line(String text, String end, boolean tooLong) {}

  /** The next line; empty at the end of the log. */
  Optional<Line> next() throws IOException {
    Line known = givenBack.pollFirst();
    if (known == null) {
      if (!splitter.advance()) {
        return Optional.empty();
      }
      known =
          splitter.tooLong()
              ? new Line("", "\n", true)
              : new Line(splitter.text(), splitter.end(), false);
    }
    number++;
    return Optional.of(known);
  }

  /** The number of the last line taken; 0 before the first. */
  long number() {
    return number;
  }

  /** Puts back the last lines taken, in their order. */
  void giveBack(List<Line> lines) {
    for (int i = lines.size() - 1; i >= 0; i--) {
      givenBack.addFirst(lines.get(i));
      number--;
    }
  }
}
