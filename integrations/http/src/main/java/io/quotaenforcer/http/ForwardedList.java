package io.quotaenforcer.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** Addresses in the lines of {@code X-Forwarded-For} and {@code Forwarded}. */
final class ForwardedList {
  /** An address with brackets and port, and some quotes. */
  private static final int MAX_CHARS = 64;

  private ForwardedList() {}

  /**
   * The addresses of one line, an empty text for each entry without one.
   *
   * @param isRfc7239 whether entries are pairs, of which {@code for} counts
   */
  static List<String> entries(String line, boolean isRfc7239) {
    List<String> entries = new ArrayList<>();
    if (isRfc7239) {
      split(line, ',').forEach(element -> entries.add(ofPairs(element)));
    } else {
      // Without quoting: a quote that a client sends must not hide what its proxy appends.
      for (String element : line.split(",", -1)) {
        entries.add(bare(element.strip()));
      }
    }
    return entries;
  }

  private static String ofPairs(String element) {
    for (String pair : split(element, ';')) {
      int equals = pair.indexOf('=');
      if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase("for")) {
        return bare(unquoted(pair.substring(equals + 1).strip()));
      }
    }
    return "";
  }

  /**
   * Splits where a separator is not in quotes. Quotes are paired from the right: what a client
   * sends stands on the left, and a quote that it leaves open must not hide what its proxies
   * append.
   */
  private static Collection<String> split(String text, char separator) {
    Deque<String> parts = new ArrayDeque<>();
    boolean quoted = false;
    int to = text.length();
    for (int i = text.length() - 1; i >= 0; i--) {
      char c = text.charAt(i);
      if (c == '"' && !isEscaped(text, i)) {
        quoted = !quoted;
      } else if (c == separator && !quoted) {
        parts.addFirst(text.substring(i + 1, to));
        to = i;
      }
    }
    parts.addFirst(text.substring(0, to));
    return parts;
  }

  /** Whether an odd number of backslashes stands before it. */
  private static boolean isEscaped(String text, int at) {
    int from = at;
    while (from > 0 && text.charAt(from - 1) == '\\') {
      from--;
    }
    return (at - from) % 2 == 1;
  }

  private static String unquoted(String value) {
    return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1).replace("\\", "")
        : value;
  }

  /** An address without brackets, port and zone; empty if the text is none. */
  static String bare(String text) {
    String address = text;
    if (text.startsWith("[")) {
      int end = text.indexOf(']');
      address = end < 0 ? "" : text.substring(1, end);
    } else if (text.indexOf(':') == text.lastIndexOf(':') && text.indexOf(':') >= 0) {
      address = text.substring(0, text.indexOf(':'));
    }
    int zone = address.indexOf('%');
    address = zone < 0 ? address : address.substring(0, zone);
    return isAddress(address) ? address.toLowerCase(Locale.ROOT) : "";
  }

  /** Digits, dots and colons as an address has them; names and hidden identifiers have others. */
  private static boolean isAddress(String text) {
    if (text.isEmpty() || text.length() > MAX_CHARS) {
      return false;
    }
    boolean separated = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '.' || c == ':') {
        separated = true;
      } else if (Character.digit(c, 16) < 0 || c > 'f') {
        return false;
      }
    }
    return separated;
  }
}
