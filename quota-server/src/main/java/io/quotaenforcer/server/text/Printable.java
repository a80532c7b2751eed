package io.quotaenforcer.server.text;

/**
 * Makes text from elsewhere (a topic, a log, a server) safe for a terminal: characters that would
 * move the cursor, change colours or turn the direction of writing are written as code points.
 */
public final class Printable {
  private Printable() {}

  /** On one line: {@code a\\u000ab} for a line end in it. */
  public static String line(String text) {
    return escaped(text, false);
  }

  /** Keeps the text's lines. */
  public static String lines(String text) {
    return escaped(text, true);
  }

  private static String escaped(String text, boolean keepsLineEnds) {
    if (text.codePoints().noneMatch(Printable::isHostile)) {
      return text;
    }
    StringBuilder printable = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (isHostile(c) && !(keepsLineEnds && c == '\n')) {
                printable.append(String.format(c > 0xffff ? "\\u{%x}" : "\\u%04x", c));
              } else {
                printable.appendCodePoint(c);
              }
            });
    return printable.toString();
  }

  private static boolean isHostile(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
