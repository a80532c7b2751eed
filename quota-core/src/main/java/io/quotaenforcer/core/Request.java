package io.quotaenforcer.core;

import java.util.HashMap;
import java.util.Map;

/**
 * What a client asks for: attributes such as {@code user=42} and a cost in permits.
 *
 * <p>Immutable, so a request may be built once and decided many times by any thread.
 *
 * @param attributes names and values that rules match on
 * @param cost permits that admitting the request takes, at least 1
 */
public record Request(Map<String, String> attributes, long cost) {

  public Request {
    attributes = Map.copyOf(attributes);
    if (cost < 1) {
      throw new IllegalArgumentException("must be >= 1: cost=" + cost);
    }
  }

  /**
   * A request of cost 1.
   *
   * @param namesAndValues attribute names and values in turn: {@code of("user", "42", "api", "GET
   *     /")}
   */
  public static Request of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException(
          "must be names and values in pairs: count=" + namesAndValues.length);
    }
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      attributes.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return new Request(attributes, 1);
  }

  /** The same attributes at another cost. */
  public Request withCost(long newCost) {
    return new Request(attributes, newCost);
  }
}
