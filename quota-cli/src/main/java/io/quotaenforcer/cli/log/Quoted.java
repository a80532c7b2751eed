package io.quotaenforcer.cli.log;

/** Quoted fields of the combined log format. */
final class Quoted {
  private Quoted() {}

  /** The next unescaped quote; -1 if there is none. */
  static int nextQuote(String line, int from) {
    for (int i = from; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        return i;
      }
    }
    return -1;
  }

  /** The next quote before a space or the end of the line; -1 if there is none. */
  static int endOfField(String line, int from) {
    int quote = nextQuote(line, from);
    while (quote >= 0 && quote + 1 < line.length() && line.charAt(quote + 1) != ' ') {
      quote = nextQuote(line, quote + 1);
    }
    return quote;
  }

  /** Unescapes quotes and backslashes; other escapes stay unchanged. */
  static String unescape(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean escapes =
          c == '\\'
              && i + 1 < text.length()
              && (text.charAt(i + 1) == '"' || text.charAt(i + 1) == '\\');
      plain.append(escapes ? text.charAt(++i) : c);
    }
    return plain.toString();
  }
}
