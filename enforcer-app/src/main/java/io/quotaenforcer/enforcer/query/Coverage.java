package io.quotaenforcer.enforcer.query;

import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * The partitions of a query, by whether the answer covers them. Each is in one of the three.
 *
 * @param answered covered completely
 * @param elsewhere on other enforcers, by HTTP address: ask them
 * @param missing unavailable for now, being restored or moved: ask again soon
 */
public record Coverage(
    List<Integer> answered, Map<URI, List<Integer>> elsewhere, List<Integer> missing) {
  public Coverage {
    answered = List.copyOf(answered);
    elsewhere = Map.copyOf(elsewhere);
    missing = List.copyOf(missing);
  }
}
