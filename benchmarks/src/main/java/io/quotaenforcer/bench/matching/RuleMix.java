package io.quotaenforcer.bench.matching;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Glob;
import io.quotaenforcer.core.match.Matcher;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleOverride;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Rules as a gateway before many services has them, and requests for them: of ten rules four are of
 * a tenant and an API, two of an API by its value, one by its prefix and one by a wildcard, one of
 * a block of addresses, one of a tenant and an expression; every tenth has overrides. One of them
 * holds for all requests, however many there are.
 */
final class RuleMix {
  private static final int RULES_OF_A_TENANT = 20;
  private static final int OVERRIDES = 20;
  private static final SlidingWindow LIMIT = new SlidingWindow(100, 1_000_000_000L);

  private RuleMix() {}

  static List<Rule> rules(int count) {
    List<Rule> rules = new ArrayList<>();
    rules.add(Rule.of(id(0), List.of("user"), LIMIT));
    for (int i = 1; i < count; i++) {
      Rule rule = Rule.of(id(i), List.of("user"), LIMIT).withMatch(match(i));
      rules.add(i % 10 == 3 ? rule.withOverrides(overrides()) : rule);
    }
    return rules;
  }

  /** As many requests as said. */
  static List<Request> requests(int rules, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return Stream.generate(() -> request(random, rules)).limit(count).toList();
  }

  /** Three of four are for the API, the tenant or the address of some rule; the others of none. */
  private static Request request(SplittableRandom random, int rules) {
    int i = random.nextInt(4) > 0 ? random.nextInt(rules) : rules + random.nextInt(1_000);
    String api =
        switch (i % 10) {
          case 0, 1, 2, 3, 9 -> path(i);
          case 4, 5 -> "GET /health" + path(i);
          case 6 -> path(i) + "/items/42";
          case 7 -> "GET " + path(i) + "/items/42/history";
          default -> "POST /login";
        };
    return Request.of(
        "tenant", "tenant-" + tenant(i),
        "api", api,
        "user", "user-" + random.nextInt(100_000),
        "ip", address(i % 10 == 8 ? i : 200_000 + random.nextInt(1_000)) + ".7",
        "plan", "free");
  }

  private static Map<String, Matcher> match(int i) {
    String path = path(i);
    Matcher tenant = new Matcher.Exact("tenant-" + tenant(i));
    return switch (i % 10) {
      case 0, 1, 2, 3 -> Map.of("tenant", tenant, "api", new Matcher.Exact(path));
      case 4, 5 -> Map.of("api", new Matcher.Exact("GET /health" + path));
      case 6 -> Map.of("api", new Matcher.Prefix(path + "/"));
      case 7 -> Map.of("api", new Matcher.Wildcard(Glob.parse("GET " + path + "/*/history")));
      case 8 -> Map.of("ip", new Matcher.Cidr(CidrBlock.parse(address(i) + ".0/24")));
      default ->
          Map.of(
              "tenant",
              tenant,
              "api",
              new Matcher.Regex(Pattern.compile("(GET|PUT)? ?" + path + "(/[0-9]+)?")));
    };
  }

  private static List<RuleOverride> overrides() {
    List<RuleOverride> overrides = new ArrayList<>();
    for (int i = 0; i < OVERRIDES; i++) {
      overrides.add(RuleOverride.exempt(Map.of("user", "probe-" + i)));
    }
    return overrides;
  }

  private static RuleId id(int i) {
    return new RuleId("gateway", "rule-" + i);
  }

  private static int tenant(int i) {
    return i / RULES_OF_A_TENANT;
  }

  private static String path(int i) {
    return "/api/v1/resource-" + i;
  }

  private static String address(int i) {
    return "%d.%d.%d".formatted(10 + (i >>> 16), i >>> 8 & 0xff, i & 0xff);
  }
}
