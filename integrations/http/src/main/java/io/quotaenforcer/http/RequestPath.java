package io.quotaenforcer.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One spelling for each path, so that a rule for {@code /login} also counts {@code /%6Cogin},
 * {@code //login}, {@code /x/../login}, {@code /login/} and {@code /login;a=b}. Pure functions, for
 * any thread.
 *
 * <ul>
 *   <li>Escapes are decoded once, as UTF-8, but for that of a slash, which separates nothing and is
 *       written {@code %2F}.
 *   <li>Empty and {@code .} segments are left out, and {@code ..} takes the one before it away (RFC
 *       3986, section 5.2.4).
 *   <li>There is no slash at the end, but for the path {@code /}.
 *   <li>Parameters of segments are left out.
 * </ul>
 *
 * <p>Case is kept: servers tell {@code /Login} from {@code /login}.
 */
public final class RequestPath {
  /** The one spelling of an escape that is kept. */
  private static final byte[] SLASH = {'%', '2', 'F'};

  private RequestPath() {}

  /**
   * A path as it came over the wire.
   *
   * @param raw with escapes, without query
   */
  public static String ofRaw(String raw) {
    return normalised(raw, true);
  }

  /**
   * A path that was decoded before, as frameworks route by.
   *
   * @param decoded without query and without parameters of segments
   */
  public static String ofDecoded(String decoded) {
    return isNormal(decoded) ? decoded : normalised(decoded, false);
  }

  /** Whether it begins with a slash, and nothing is to be left out. */
  private static boolean isNormal(String path) {
    int length = path.length();
    if (length == 0 || path.charAt(0) != '/') {
      return false;
    }
    for (int i = 1; i < length; i++) {
      char before = path.charAt(i - 1);
      char c = path.charAt(i);
      if (before == '/' && (c == '/' || c == '.')) {
        return false;
      }
    }
    return length == 1 || path.charAt(length - 1) != '/';
  }

  private static String normalised(String path, boolean isRaw) {
    Deque<String> segments = new ArrayDeque<>();
    int from = 0;
    while (from <= path.length()) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      String segment = path.substring(from, to);
      add(segments, isRaw ? decoded(segment) : segment);
      from = to + 1;
    }
    return "/" + String.join("/", segments);
  }

  private static void add(Deque<String> segments, String segment) {
    if (segment.equals("..")) {
      segments.pollLast();
    } else if (!segment.isEmpty() && !segment.equals(".")) {
      segments.add(segment);
    }
  }

  private static String decoded(String segment) {
    int semicolon = segment.indexOf(';');
    String bare = semicolon < 0 ? segment : segment.substring(0, semicolon);
    if (bare.indexOf('%') < 0) {
      return bare;
    }
    byte[] from = bare.getBytes(StandardCharsets.UTF_8);
    byte[] to = new byte[from.length];
    int length = 0;
    for (int i = 0; i < from.length; i++) {
      int value = from[i] == '%' ? escaped(from, i) : -1;
      if (value == '/') {
        System.arraycopy(SLASH, 0, to, length, SLASH.length);
        length += SLASH.length;
      } else {
        to[length++] = value < 0 ? from[i] : (byte) value;
      }
      i += value < 0 ? 0 : 2;
    }
    return new String(to, 0, length, StandardCharsets.UTF_8);
  }

  /** The byte that is escaped at an index; -1 if nothing is. */
  private static int escaped(byte[] bytes, int at) {
    if (at + 2 >= bytes.length) {
      return -1;
    }
    int high = Character.digit(bytes[at + 1], 16);
    int low = Character.digit(bytes[at + 2], 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }
}
