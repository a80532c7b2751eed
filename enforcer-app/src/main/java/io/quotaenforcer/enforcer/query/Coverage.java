package io.quotaenforcer.enforcer.query;

import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * Which of the partitions that were asked about an answer covers. Each is in one of the three.
 *
 * @param answered all that is in them is in the answer
 * @param elsewhere those that other enforcers have, by HTTP address: ask them
 * @param missing those that nobody answers for now, since they are being restored or moved: ask
 *     again soon
 */
public record Coverage(
    List<Integer> answered, Map<URI, List<Integer>> elsewhere, List<Integer> missing) {
  public Coverage {
    answered = List.copyOf(answered);
    elsewhere = Map.copyOf(elsewhere);
    missing = List.copyOf(missing);
  }
}
