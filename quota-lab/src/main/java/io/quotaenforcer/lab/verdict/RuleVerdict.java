package io.quotaenforcer.lab.verdict;

import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import java.util.Optional;

/**
 * Verdict on one rule. Requests are counted one by one; all else is in permits.
 *
 * @param requests admitted + throttled
 * @param admittedPermits cost of the admitted requests
 * @param allowedPermits what demand and limit together allowed
 * @param over permits admitted over the limit, all keys and windows together
 * @param worst the key and window that is furthest above its bound, or closest to it, among those
 *     with over-admission
 * @param bound most permits over the limit that the promise allows in one window: of the worst key
 *     when there is one, else of the key with the most. Of a balanced rule what the key was asked
 *     for in one loop; the worst case where no loop was measured
 * @param worstCase most permits over the limit in one window, whatever is asked for when
 * @param grantedOver permits over the limit among those that were granted, judged by themselves
 * @param mislabelled admissions whose stamp lies outside the window they were labelled with
 * @param turnedAway of all keys
 * @param innocentsTurnedAway of the keys that never asked for more than nine tenths of their limit
 * @param places where what the promise forbids was seen
 */
public record RuleVerdict(
    Rule rule,
    long requests,
    long admitted,
    long throttled,
    long admittedPermits,
    long allowedPermits,
    long over,
    Optional<WorstWindow> worst,
    long bound,
    long worstCase,
    long grantedOver,
    Opened opened,
    long mislabelled,
    TurnedAway turnedAway,
    TurnedAway innocentsTurnedAway,
    Places places) {

  /** Admissions as a fraction of those that demand and limit allowed; 1 if they allowed none. */
  public double utilisation() {
    return allowedPermits == 0 ? 1 : (double) admittedPermits / allowedPermits;
  }

  /** Permits over the limit in the worst window of the worst key. */
  public long worstOver() {
    return worst.map(WorstWindow::over).orElse(0L);
  }

  /**
   * Whether the promise was kept: no window over its bound, no granted permit over the limit, no
   * instance over its opening, no excess hidden by labels, and not everything denied.
   */
  public boolean kept() {
    return rule.mode() == Mode.SHADOW
        || (worstOver() <= bound
            && grantedOver == 0
            && opened.kept()
            && mislabelled == 0
            && !whollyDenied());
  }

  /** Whether nothing was admitted, though the limit allowed something. */
  public boolean whollyDenied() {
    return admitted == 0 && allowedPermits > 0;
  }

  /**
   * The window of a key with the most over-admission.
   *
   * @param quotaKey text of the quota key
   * @param over permits over the limit in this window
   */
  public record WorstWindow(String quotaKey, long windowStartNanos, long over) {}

  /**
   * A quota key and the start of one of its windows; limits without windows are judged by periods.
   *
   * @param count observed there
   */
  public record Place(String quotaKey, long windowStartNanos, long count) {}

  /**
   * Places where a promise was seen broken, each empty if it was not.
   *
   * @param granted where permits over the limit were first granted
   * @param opened where an instance opened {@code most}
   * @param mislabelled the first window that a permit was falsely labelled with
   * @param innocent the key that was turned away most of those that never asked for more than nine
   *     tenths of their limit, and in which window first
   */
  public record Places(
      Optional<Place> granted,
      Optional<Place> opened,
      Optional<Place> mislabelled,
      Optional<Place> innocent) {
    public static final Places NONE =
        new Places(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Permits that instances admitted by their own count.
   *
   * @param permits of all instances, keys and periods together
   * @param most of one instance, in one period of one key: where it exceeds the allowance the most,
   *     or comes closest to it
   * @param allowed the rule's allowance for {@code most}
   */
  public record Opened(long permits, long most, long allowed) {
    public boolean kept() {
      return most <= allowed;
    }
  }
}
