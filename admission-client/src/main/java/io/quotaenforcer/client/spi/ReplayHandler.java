package io.quotaenforcer.client.spi;

import io.quotaenforcer.core.message.Replay;

/**
 * The service's code that runs a deferred request once it is released.
 *
 * <p>Called by several threads, but for one quota key and priority by one at a time and in the
 * order of release. A replay is handled at least once: after a crash, or when another instance
 * takes over, it comes again with the same id, by which a handler that must not act twice knows it.
 */
@FunctionalInterface
public interface ReplayHandler {

  /**
   * Runs a replay. An exception means that it is to be tried again later, with back-off.
   *
   * @return what became of it
   */
  ReplayOutcome handle(Replay replay) throws Exception;
}
