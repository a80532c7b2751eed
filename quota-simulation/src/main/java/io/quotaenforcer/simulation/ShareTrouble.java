package io.quotaenforcer.simulation;

import static io.quotaenforcer.simulation.LoopSimulation.MILLI;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The situations that shares of a limit are for, and those that endanger them: nobody answers for
 * up to three terms, an instance reports and hears nothing, or hears and does not report, or
 * crashes, while it holds a share. Drawn separately from everything else, as {@link ReplayTrouble}
 * is.
 */
final class ShareTrouble {
  private static final long SALT = 0x5eed_0f_54a4e5L;
  private static final long SECOND = 1_000 * MILLI;

  /** One seed in this many has such trouble. */
  private static final int ONE_IN = 3;

  /** By then there has been demand for long enough to be given a share. */
  private static final long SHARES_BEGIN = 3 * SECOND;

  private static final int[] TERM_LEASES = {0, 1, 2, 3, 5, 10};
  private static final double MOST_TERMS_AWAY = 3;
  private static final double MOST_TERMS_CUT_OFF = 1.5;

  private final SplittableRandom random;
  private final long term;
  private final boolean crashes;
  private final StringBuilder story = new StringBuilder();

  private ShareTrouble(SplittableRandom random, long term, boolean crashes) {
    this.random = random;
    this.term = term;
    this.crashes = crashes;
  }

  /** The term of shares: a number of leases; 0 where there are none but those of tight buckets. */
  static long term(long seed, long lease) {
    return TERM_LEASES[new SplittableRandom(~seed ^ SALT).nextInt(TERM_LEASES.length)] * lease;
  }

  /**
   * Null for most seeds.
   *
   * @param crashes whether it may lose unreported use
   */
  static @Nullable ShareTrouble drawn(long seed, long term, boolean crashes) {
    SplittableRandom random = new SplittableRandom(seed ^ SALT);
    return term > 0 && random.nextInt(ONE_IN) == 0 ? new ShareTrouble(random, term, crashes) : null;
  }

  /**
   * Lets it happen.
   *
   * @param changedAt when a rule is changed, to those who hear of it
   * @return when it is over
   */
  long befall(LoopSimulation simulation, int instances, long changedAt) {
    long ends = 0;
    if (random.nextInt(2) == 0) {
      long at = moment();
      long away = part(MOST_TERMS_AWAY);
      simulation.crashEnforcer(at, away, 0, 0);
      tell("nobody answers", at, away);
      ends = Math.max(ends, at + away);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      long at = moment();
      long cut = part(MOST_TERMS_CUT_OFF);
      boolean sends = random.nextBoolean();
      int instance = random.nextInt(instances);
      simulation.cut(instance, !sends, sends, at, cut);
      tell("instance %d %s nothing".formatted(instance, sends ? "hears" : "reports"), at, cut);
      ends = Math.max(ends, at + cut);
    }
    if (crashes && random.nextInt(2) == 0) {
      int instance = random.nextInt(instances);
      long at = moment();
      simulation.restart(instance, at);
      tell("instance %d crashes".formatted(instance), at, 0);
      ends = Math.max(ends, at);
    }
    if (changedAt < Long.MAX_VALUE) {
      int instance = random.nextInt(instances);
      long at = Math.max(0, changedAt - random.nextLong(SECOND));
      long cut = part(MOST_TERMS_CUT_OFF);
      simulation.cut(instance, true, true, at, cut);
      tell("instance %d is cut off".formatted(instance), at, cut);
      ends = Math.max(ends, at + cut);
    }
    return ends;
  }

  private long moment() {
    return SHARES_BEGIN + random.nextLong(3 * SECOND);
  }

  /** At least a tenth of a term. */
  private long part(double mostTerms) {
    return (long) (term * (0.1 + random.nextDouble() * (mostTerms - 0.1)));
  }

  private void tell(String what, long at, long nanos) {
    story.append("; %s at %d ms for %d ms".formatted(what, at / MILLI, nanos / MILLI));
  }

  @Override
  public String toString() {
    return story.toString();
  }
}
