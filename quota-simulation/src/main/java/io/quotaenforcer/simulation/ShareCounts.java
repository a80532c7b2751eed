package io.quotaenforcer.simulation;

/**
 * The fate of a limit's shares, which also shows a run that never had any.
 *
 * @param begun shares that were committed
 * @param cut times that one of them became smaller
 * @param ended shares that ended, by their holder's report or by their term
 * @param riddenOut permits that instances took when they had not heard of the enforcer for longer
 *     than a lease
 */
public record ShareCounts(long begun, long cut, long ended, long riddenOut) {
  public static final ShareCounts NONE = new ShareCounts(0, 0, 0, 0);

  public ShareCounts plus(ShareCounts other) {
    return new ShareCounts(
        begun + other.begun, cut + other.cut, ended + other.ended, riddenOut + other.riddenOut);
  }
}
