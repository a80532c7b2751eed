package io.quotaenforcer.client.internal.config;

import io.quotaenforcer.core.Request;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * How values are hashed before they leave.
 *
 * @param keys by which they are
 * @param attributes whose values are hashed whatever the rules say
 */
public record Hashing(HashKeySource keys, Set<String> attributes) {
  /** Hashes nothing. */
  public static final Hashing NONE = new Hashing(HashKeySource.NONE, Set.of());

  public Hashing {
    attributes = Set.copyOf(attributes);
  }

  /** The names in a list with commas between them. */
  static Set<String> names(Optional<String> list) {
    return list.stream()
        .flatMap(text -> Arrays.stream(text.split(",")))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * A request as it may leave this process.
   *
   * @param ofRules attributes that rules hash
   */
  public Request leaving(Request request, Set<String> ofRules) {
    Set<String> all = attributes;
    if (!ofRules.isEmpty() && !attributes.containsAll(ofRules)) {
      all = new HashSet<>(attributes);
      all.addAll(ofRules);
    }
    return all.isEmpty() ? request : keys.current().leaving(request, all);
  }

  /** Like {@link #leaving(Request, Set)}, by the rules of the moment. */
  public UnaryOperator<Request> leaving(Supplier<Set<String>> ofRules) {
    return request -> leaving(request, ofRules.get());
  }
}
