package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.limits.LimitKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Users by number: a third of them by each limit, and of each third the first fiftieth abusers.
 *
 * @param count of all, at most {@value #MOST}
 * @param rules what their rules' names begin with
 * @param names what their own names begin with
 */
public record Visitors(int count, String rules, String names) {
  static final int MOST = 1 << 14;
  static final String DOMAIN = "innocents";

  private static final int ABUSIVE_ONE_IN = 50;
  private static final int EAGER_ONE_IN = 50;
  private static final List<UserLimit> LIMITS = List.of(UserLimit.values());

  public Visitors {
    if (count < 1 || count > MOST) {
      throw new IllegalArgumentException("must be between 1 and " + MOST + ": count=" + count);
    }
  }

  /** The only ones there are. */
  public Visitors(int count) {
    this(count, "", "user-");
  }

  UserLimit limitOf(int user) {
    return LIMITS.get(user % LIMITS.size());
  }

  boolean isAbuser(int user) {
    return user < count / ABUSIVE_ONE_IN;
  }

  /** Whether a user of 60 per second now and then asks for more than that, which visits do not. */
  boolean isEager(int user) {
    return limitOf(user) == UserLimit.PER_SECOND && user / LIMITS.size() % EAGER_ONE_IN == 1;
  }

  /** Whether each request goes to an instance of its own; else each visit does. */
  boolean isSpread(int user) {
    return isAbuser(user) || user / LIMITS.size() % 2 == 0;
  }

  Request request(int user) {
    return Request.of("api", rules + limitOf(user).api(), "user", names + user);
  }

  /** One request of each user, by number. */
  List<Request> requests() {
    return IntStream.range(0, count).mapToObj(this::request).toList();
  }

  /** A rule for each limit. */
  List<Rule> rules(LimitKind kind, Enforcement enforcement) {
    return Arrays.stream(UserLimit.values())
        .map(
            limit ->
                Rule.of(new RuleId(DOMAIN, rules + limit.api()), List.of("user"), limit.by(kind))
                    .withMatch(Map.of("api", new Matcher.Exact(rules + limit.api())))
                    .withEnforcement(enforcement)
                    .withVersion(1, 1))
        .toList();
  }
}
