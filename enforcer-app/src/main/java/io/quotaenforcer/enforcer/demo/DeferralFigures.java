package io.quotaenforcer.enforcer.demo;

/**
 * What became of the requests that the demo deferred.
 *
 * @param deferred requests that the enforcer has accepted
 * @param replayed of those, how many were run
 * @param expired of those, how many became dead letters as their deadline passed
 * @param lost of those, how many are neither; while the demo runs, they wait
 * @param duplicated times that one was run again
 * @param outOfOrder times that one was run before another that was deferred earlier, of the same
 *     quota key and priority
 */
public record DeferralFigures(
    long deferred, long replayed, long expired, long lost, long duplicated, long outOfOrder) {
  /** Nothing was deferred. */
  public static final DeferralFigures NONE = new DeferralFigures(0, 0, 0, 0, 0, 0);

  boolean kept() {
    return lost == 0 && duplicated == 0 && outOfOrder == 0;
  }
}
