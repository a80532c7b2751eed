package io.quotaenforcer.gateway.mapping;

import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.http.HttpView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The value of an attribute, made of parts of a request: {@code "{method} {path}"}. Immutable, for
 * any thread.
 */
public final class Template {
  /**
   * Longest value; what is longer is cut, so that a client cannot make keys as long as it likes.
   */
  static final int MAX_CHARS = 256;

  private static final List<String> PLAIN =
      List.of("method", "path", "host", "client-address", "query:NAME", "header:NAME", "segment:N");

  /** A header's name, by RFC 9110, section 5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private final List<Part> parts;

  private Template(List<Part> parts) {
    this.parts = parts;
  }

  /** A piece of a template: empty for a request that does not have it. */
  @FunctionalInterface
  private interface Part {
    Optional<String> of(HttpView http);
  }

  /**
   * Reads a template.
   *
   * @throws IllegalArgumentException saying what is wrong, and what to write instead
   */
  public static Template parse(String text) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int open = text.indexOf('{', from);
      String literal = text.substring(from, open < 0 ? text.length() : open);
      if (literal.indexOf('}') >= 0) {
        throw new IllegalArgumentException("has a } without {");
      }
      if (!literal.isEmpty()) {
        parts.add(http -> Optional.of(literal));
      }
      if (open < 0) {
        break;
      }
      int close = text.indexOf('}', open);
      if (close < 0) {
        throw new IllegalArgumentException("has a { without }");
      }
      parts.add(part(text.substring(open + 1, close)));
      from = close + 1;
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("must not be empty; write a part such as {path}");
    }
    return new Template(List.copyOf(parts));
  }

  private static Part part(String name) {
    int colon = name.indexOf(':');
    if (colon >= 0 && colon < name.length() - 1) {
      String of = name.substring(colon + 1);
      switch (name.substring(0, colon)) {
        case "header":
          return header(of);
        case "query":
          return query(of);
        case "segment":
          return segment(of);
        default:
          break;
      }
    }
    return switch (name) {
      case "method" -> http -> present(http.method());
      case "path" -> http -> present(http.path());
      case "host" -> http -> http.header("host").flatMap(Template::present);
      case "client-address" -> http -> present(http.clientAddress());
      default -> throw new IllegalArgumentException(unknown(name));
    };
  }

  private static Part header(String name) {
    if (!TOKEN.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "has a header that no request can have: {header:%s}; a name has letters, digits and - without blanks, such as {header:X-User}"
              .formatted(name));
    }
    return http -> http.header(name).flatMap(Template::present);
  }

  private static Part query(String name) {
    if (!name.equals(name.strip())) {
      throw new IllegalArgumentException(
          "has a blank before or after a name: {query:%s}; write it without, such as {query:tenant}"
              .formatted(name));
    }
    return http -> QueryText.first(http.query(), name).flatMap(Template::present);
  }

  private static Part segment(String number) {
    if (!number.matches("[1-9][0-9]?")) {
      throw new IllegalArgumentException(
          "has a segment that is no number from 1 to 99: {segment:" + number + "}");
    }
    int wanted = Integer.parseInt(number);
    return http -> {
      String[] segments = http.path().split("/", wanted + 2);
      return wanted < segments.length ? present(segments[wanted]) : Optional.empty();
    };
  }

  private static String unknown(String name) {
    String meant =
        Suggestions.nearest(name, PLAIN).map(near -> " (did you mean {" + near + "}?)").orElse("");
    return "has an unknown part {%s}%s; there is {%s}"
        .formatted(name, meant, String.join("}, {", PLAIN));
  }

  private static Optional<String> present(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  /** The value for a request; empty if the request lacks one of the parts. */
  public Optional<String> of(HttpView http) {
    StringBuilder value = new StringBuilder();
    for (Part part : parts) {
      Optional<String> text = part.of(http);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      value.append(text.get());
    }
    return Optional.of(cut(value.toString()));
  }

  private static String cut(String value) {
    if (value.length() <= MAX_CHARS) {
      return value;
    }
    int end = Character.isHighSurrogate(value.charAt(MAX_CHARS - 1)) ? MAX_CHARS - 1 : MAX_CHARS;
    return value.substring(0, end);
  }
}
