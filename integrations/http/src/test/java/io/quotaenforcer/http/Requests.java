package io.quotaenforcer.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Requests of tests.
 *
 * @param lines {@code Name: value}
 */
record Requests(String method, String path, String remoteAddress, List<String> lines)
    implements HttpSource {

  static Requests get(String path) {
    return new Requests("GET", path, "192.0.2.7", List.of());
  }

  static Requests from(String remoteAddress, String... lines) {
    return new Requests("GET", "/", remoteAddress, List.of(lines));
  }

  @Override
  public List<String> headers(String name) {
    List<String> values = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith(name + ": ")) {
        values.add(line.substring(name.length() + 2));
      }
    }
    return values;
  }

  @Override
  public String query() {
    return "";
  }

  @Override
  public Optional<String> principal() {
    return headers("principal").stream().findFirst();
  }
}
