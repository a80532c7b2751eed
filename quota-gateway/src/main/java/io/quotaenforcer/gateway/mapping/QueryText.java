package io.quotaenforcer.gateway.mapping;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Parameters in the query of an address. */
final class QueryText {
  private QueryText() {}

  /** The first value of a parameter; empty if there is none, or it cannot be decoded. */
  static Optional<String> first(String query, String name) {
    for (String pair : query.split("&")) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      if (decoded(key).equals(Optional.of(name))) {
        return decoded(equals < 0 ? "" : pair.substring(equals + 1));
      }
    }
    return Optional.empty();
  }

  private static Optional<String> decoded(String text) {
    try {
      return Optional.of(URLDecoder.decode(text, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
