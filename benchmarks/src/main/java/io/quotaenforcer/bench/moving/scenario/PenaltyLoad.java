package io.quotaenforcer.bench.moving.scenario;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.CountWhen;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;

/**
 * The password of one account is guessed at through every one of a hundred instances at once, each
 * time anew, while the owner of another one logs in, and mistypes now and then. Only failed logins
 * count.
 */
public final class PenaltyLoad {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long MINUTE = 60 * SECOND;

  public static final int INSTANCES = 100;
  public static final int FAILURES = 5;

  /** How long an instance looks at a password. */
  public static final long LOOK = 50 * MILLI;

  /** From an answer to the next guess through the same instance. */
  public static final long PAUSE = 20 * MILLI;

  /** How long callers wait if they find nothing of an account at an instance. */
  public static final long WAIT = 2 * SECOND;

  /** A report interval, and the way there and back, twice. */
  public static final long LOOP = ClassLoad.LOOP;

  private static final int AFTER = 20;

  private PenaltyLoad() {}

  public static Rule rule(Enforcement enforcement) {
    return Rule.of(
            new RuleId("logins", "failures-per-account"),
            List.of("account"),
            new SlidingWindow(FAILURES, 10 * MINUTE))
        .withEnforcement(enforcement)
        .withCount(new CountWhen(Map.of("status", new Matcher.Exact("401"))))
        .withPenalty(new PenaltyTerms(AFTER, MINUTE, 10 * MINUTE, 2, 60 * MINUTE))
        .withVersion(1, 1);
  }

  public static Request login(String account) {
    return Request.of("account", account);
  }
}
