package io.quotaenforcer.client.internal.replay;

import io.quotaenforcer.client.internal.Instance;
import java.time.Duration;
import java.util.List;

/**
 * All that a client lends to those who run replays for it.
 *
 * @param instance that runs them; names their threads
 * @param groups that it is a member of
 * @param closeTimeout how long closing waits for replays that have started
 */
public record ReplaySetup(
    Instance instance,
    List<ReplayGroup> groups,
    ReplayKafka kafka,
    ReplayDesk desk,
    Duration closeTimeout) {
  public ReplaySetup {
    groups = List.copyOf(groups);
  }
}
