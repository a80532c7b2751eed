package io.quotaenforcer.lab.it;

import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Bound;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.service.RequestStream;
import io.quotaenforcer.lab.service.TraceFolder;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import io.quotaenforcer.rules.RuleYaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Load of a test's services: four rules, each with two keys in demand of five times their limit by
 * all services together, and four that stay below it.
 */
final class ServiceLoad {
  static final String DOMAIN = "shop";
  static final int SERVICES = 3;
  static final int MAX_INSTANCES = 10;

  /** Setting of enforcers that are all on one machine. */
  static final String ONE_CLOCK = "max.clock.skew=1ms";

  /** The same in nanoseconds. */
  private static final long ONE_CLOCK_NANOS = 1_000_000L;

  private static final long SECOND = 1_000_000_000L;
  private static final int HOT_KEYS = 2;
  private static final int COOL_KEYS = 4;

  /** Permits a second that a key is asked for, in limits. */
  private static final double HOT = 5;

  private static final double COOL = 0.6;

  /** Strict fixed window, balanced sliding window, strict token bucket, strict sliding window. */
  static final List<Rule> RULES =
      List.of(
          rule("orders", new FixedWindow(100, SECOND)).withEnforcement(Enforcement.STRICT),
          rule("reads", new SlidingWindow(100, SECOND)),
          rule("uploads", new TokenBucket(50, SECOND, 50)).withEnforcement(Enforcement.STRICT),
          rule("searches", new SlidingWindow(100, SECOND)).withEnforcement(Enforcement.STRICT));

  /** One trace per service, of these rules. */
  static final TraceFolder TRACES =
      new TraceFolder(DOMAIN, RULES, VerdictTerms.of(SERVICES, MAX_INSTANCES));

  private ServiceLoad() {}

  /** Makes the topics and publishes the rules. */
  static void prepare(String bootstrapServers, Path folder) throws IOException {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, RuleYaml.file(DOMAIN, RULES));
    String server = "--bootstrap-server=" + bootstrapServers;
    String most = "--max-instances=" + MAX_INSTANCES;
    QuotaRun.done("topics", "create", "--partitions=4", most, server);
    QuotaRun.done("rules", "apply", rules.toString(), server);
  }

  /** Load of one of the services; the same for the same seed. */
  static RequestStream of(long seed) {
    RequestStream load = new RequestStream(seed);
    KeyTable keys = new KeyTable(RULES);
    for (Rule rule : RULES) {
      for (int i = 0; i < HOT_KEYS + COOL_KEYS; i++) {
        double limits = i < HOT_KEYS ? HOT : COOL;
        load.add(
            keys.of(key(rule, i)),
            Request.of("api", rule.id().id(), rule.key().names().get(0), "k" + i),
            limits * rule.limit().permits() / SERVICES);
      }
    }
    return load;
  }

  /**
   * Permits that a check by borders of true time may show as too many, though there are none: each
   * takeover holds the borders of a strict sliding window back by {@link #ONE_CLOCK}, in which a
   * few are asked for.
   */
  static long slack(Rule rule) {
    return rule.limit().bordersMatter() ? 3 : 0;
  }

  /**
   * The same after more than one takeover: each holds the border of each key in demand back once
   * more, and a permit is whole.
   */
  static long slackAfter(int takeovers, Rule rule) {
    double perNano = HOT * rule.limit().permits() / rule.limit().periodNanos();
    long each = (long) Math.ceil(perNano * ONE_CLOCK_NANOS);
    return rule.limit().bordersMatter() ? HOT_KEYS * each * takeovers : 0;
  }

  /** Most permits that services may add to a balanced rule while the enforcer is away. */
  static long mostAway(Rule rule) {
    return Bound.away(rule.onUnavailable(), rule.limit(), SERVICES, MAX_INSTANCES);
  }

  /**
   * The same where another enforcer takes over, of the balanced sliding window: time stands still
   * then, and its borders lag, while those of a check do not. What services opened meanwhile may
   * show in the window after the one that it was counted in, whole.
   */
  static long mostAfterTakeovers(Rule rule) {
    return mostAway(rule) + rule.limit().permits();
  }

  /**
   * Permits that a service is asked for of a hot key while its stamps may lie outside the period
   * that it takes for the current one: where brokers or the enforcer stand still, it hears of that
   * late.
   */
  static long askedAcrossABorder(Rule rule) {
    double perNano = HOT * rule.limit().permits() / rule.limit().periodNanos() / SERVICES;
    return (long) Math.ceil(perNano * VerdictTerms.LABEL_TOLERANCE_NANOS);
  }

  /** The quota keys of a rule. */
  static List<QuotaKey> keys(Rule rule) {
    List<QuotaKey> keys = new ArrayList<>();
    for (int i = 0; i < HOT_KEYS + COOL_KEYS; i++) {
      keys.add(key(rule, i));
    }
    return keys;
  }

  /** Those that are asked for {@value #HOT} times their limit. */
  static List<QuotaKey> hotKeys(Rule rule) {
    return keys(rule).subList(0, HOT_KEYS);
  }

  private static QuotaKey key(Rule rule, int index) {
    return QuotaKey.of(rule.id(), List.of("k" + index));
  }

  private static Rule rule(String id, Limit limit) {
    return Rule.of(new RuleId(DOMAIN, id), List.of("key"), limit)
        .withMatch(Map.of("api", new Matcher.Exact(id)));
  }
}
