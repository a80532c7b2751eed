package io.quotaenforcer.cli.log;

/**
 * Tracks whether a quoted field of comma-separated values (RFC 4180) is open at the end of a line
 * and continues on the next one.
 */
final class CsvQuote {
  private boolean open;
  private boolean broken;

  /** Goes through the next line of a record. */
  void add(String line) {
    int at = 0;
    while (at <= line.length() && !broken) {
      if (open) {
        int closing = CsvFields.closingQuote(line, at);
        if (closing < 0) {
          return;
        }
        open = false;
        broken = closing + 1 < line.length() && line.charAt(closing + 1) != ',';
        at = closing + 2;
      } else if (at < line.length() && line.charAt(at) == '"') {
        open = true;
        at++;
      } else {
        int comma = line.indexOf(',', at);
        at = comma < 0 ? line.length() + 1 : comma + 1;
      }
    }
  }

  boolean isOpen() {
    return open;
  }

  /** Whether text follows a closing quote. */
  boolean isBroken() {
    return broken;
  }
}
