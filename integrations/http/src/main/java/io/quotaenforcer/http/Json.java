package io.quotaenforcer.http;

import java.util.List;
import java.util.stream.Collectors;

/** One flat JSON object, as answers have it. */
final class Json {
  private final StringBuilder text = new StringBuilder("{");

  Json text(String name, String value) {
    return raw(name, quoted(value));
  }

  Json number(String name, long value) {
    return raw(name, Long.toString(value));
  }

  Json texts(String name, List<String> values) {
    return raw(name, values.stream().map(Json::quoted).collect(Collectors.joining(",", "[", "]")));
  }

  private Json raw(String name, String value) {
    text.append(text.length() > 1 ? "," : "").append(quoted(name)).append(':').append(value);
    return this;
  }

  @Override
  public String toString() {
    return text + "}";
  }

  private static String quoted(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ' || c == '<' || Character.isSurrogate(c) || c == 0x7f) {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
