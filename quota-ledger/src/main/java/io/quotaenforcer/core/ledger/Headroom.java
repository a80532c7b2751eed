package io.quotaenforcer.core.ledger;

/**
 * Permits of one window that may be granted before the next commit. They are set aside in a
 * transaction and granted only once it is committed, so that a successor, who may have lost every
 * trace of a grant, still finds its permits set aside.
 *
 * @param windowStartNanos window that the permits belong to; 0 for kinds without windows
 * @param ready permits known to be committed
 * @param pending permits added in the transaction {@code pendingCommit}
 */
public record Headroom(long windowStartNanos, long ready, long pending, long pendingCommit) {

  static Headroom none(long window) {
    return new Headroom(window, 0, 0, 0);
  }

  /** The same as a successor finds it. */
  Headroom committed() {
    return new Headroom(windowStartNanos, total(), 0, 0);
  }

  /** All that is set aside, committed or not. */
  public long total() {
    return ready + pending;
  }

  /** Permits that may be granted at once. */
  long usable(long commit) {
    return pendingCommit < commit ? total() : ready;
  }

  Headroom spend(long permits, long commit) {
    Headroom settled = settled(commit);
    return new Headroom(
        windowStartNanos, settled.ready - permits, settled.pending, settled.pendingCommit);
  }

  Headroom raise(long permits, long commit) {
    Headroom settled = settled(commit);
    return new Headroom(windowStartNanos, settled.ready, settled.pending + permits, commit);
  }

  /** The same with no more than {@code most} permits in all. */
  Headroom lower(long most, long commit) {
    Headroom settled = settled(commit);
    long newPending = Math.min(settled.pending, most);
    long newReady = Math.min(settled.ready, most - newPending);
    return new Headroom(windowStartNanos, newReady, newPending, settled.pendingCommit);
  }

  private Headroom settled(long commit) {
    return pendingCommit < commit ? new Headroom(windowStartNanos, total(), 0, commit) : this;
  }
}
