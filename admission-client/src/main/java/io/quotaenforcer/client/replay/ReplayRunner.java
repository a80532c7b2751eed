package io.quotaenforcer.client.replay;

/**
 * Runs replays until it is closed: reads them as a member of its consumer groups, and hands them to
 * the service's {@link io.quotaenforcer.client.spi.ReplayHandler} on threads of its own. Made by
 * {@link io.quotaenforcer.client.AdmissionClient#replays}, and closed with that client at the
 * latest. Not meant to be implemented by others. Safe for use by any number of threads.
 */
public interface ReplayRunner extends AutoCloseable {

  /** Replays that were read and are not finished: those that run, and those that wait. */
  int unfinished();

  /**
   * Finishes the replays that have started, for at most {@code close.timeout} and the second that
   * it takes to leave the consumer groups. The rest goes back to the groups: other members handle
   * it. Waits for both. A second call changes nothing.
   */
  @Override
  void close();
}
