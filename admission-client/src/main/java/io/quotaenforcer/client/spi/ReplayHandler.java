package io.quotaenforcer.client.spi;

import io.quotaenforcer.core.message.Replay;

/**
 * The service's code that runs a deferred request once it is released.
 *
 * <p>Called by several threads at once, but for one quota key and priority by one at a time, in the
 * order of release. A replay is handled at least once: after a crash, or when another instance
 * takes over, it comes again with the same {@link Replay#id}, which tells a handler that must not
 * act twice.
 */
@FunctionalInterface
public interface ReplayHandler {

  /**
   * Runs a replay. May take as long as it needs: it holds up only the replays behind it in its
   * order, and one of {@link io.quotaenforcer.client.replay.ReplayOptions#concurrency} threads.
   *
   * @return how it ended
   * @throws Exception if it is to be tried again later, with back-off
   */
  ReplayOutcome handle(Replay replay) throws Exception;
}
