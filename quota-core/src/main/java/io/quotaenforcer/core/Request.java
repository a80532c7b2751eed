package io.quotaenforcer.core;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client: attributes such as {@code user=42} and a cost in permits.
 *
 * <p>Immutable for its users, so a request may be built once and decided many times by any thread.
 * That is cheaper than a new one each time, since the rules that match it are kept with it.
 */
public final class Request {
  private final Map<String, String> attributes;
  private final long cost;
  private final boolean received;

  /** See {@link Kept}. */
  @Nullable Kept kept;

  /**
   * @param attributes names and values that rules match on
   * @param cost permits that admitting the request takes, from 1 to {@link PermitCount#MAX_COST}
   * @throws IllegalArgumentException if the cost is less or more
   */
  public Request(Map<String, String> attributes, long cost) {
    this(attributes, cost, false);
  }

  private Request(Map<String, String> attributes, long cost, boolean received) {
    this.attributes = Map.copyOf(attributes);
    this.cost = cost;
    this.received = received;
    PermitCount.checkCost("cost", cost);
  }

  /**
   * A request that another process has sent, such as a replay: values that rules hash are hashed
   * already. Never to be made of what a caller says, who could invent a hash.
   */
  public static Request received(Map<String, String> attributes, long cost) {
    return new Request(attributes, cost, true);
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
    return new Request(attributes(namesAndValues), 1);
  }

  /** If a name occurs twice, its last value counts. */
  private static Map<String, String> attributes(String[] all) {
    // Small maps as they are kept in the end: a request is made for each decision.
    if (all.length == 2) {
      return Map.of(all[0], all[1]);
    }
    if (all.length == 4 && !all[0].equals(all[2])) {
      return Map.of(all[0], all[1], all[2], all[3]);
    }
    if (all.length == 6
        && !all[0].equals(all[2])
        && !all[0].equals(all[4])
        && !all[2].equals(all[4])) {
      return Map.of(all[0], all[1], all[2], all[3], all[4], all[5]);
    }
    Map<String, String> attributes = new HashMap<>();
    for (int i = 0; i < all.length; i += 2) {
      attributes.put(all[i], all[i + 1]);
    }
    return attributes;
  }

  /** Names and values that rules match on. */
  public Map<String, String> attributes() {
    return attributes;
  }

  /** Permits that admitting the request takes. */
  public long cost() {
    return cost;
  }

  /** Whether another process has {@linkplain #received sent} it. */
  public boolean isReceived() {
    return received;
  }

  /** The same attributes at another cost. */
  public Request withCost(long newCost) {
    return new Request(attributes, newCost, received);
  }

  /** Requests are equal if they ask for the same, wherever they come from. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Request that && cost == that.cost && attributes.equals(that.attributes);
  }

  @Override
  public int hashCode() {
    return 31 * attributes.hashCode() + Long.hashCode(cost);
  }

  @Override
  public String toString() {
    return "Request[attributes=" + attributes + ", cost=" + cost + "]";
  }
}
