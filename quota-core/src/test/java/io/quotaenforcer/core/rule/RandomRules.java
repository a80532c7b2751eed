package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.algorithm.IntervalBucket;
import io.quotaenforcer.core.algorithm.LeakyBucket;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.SlidingLog;
import io.quotaenforcer.core.algorithm.SlidingSubWindows;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WarmUpBucket;
import io.quotaenforcer.core.algorithm.Windows;
import io.quotaenforcer.core.match.AddressCut;
import io.quotaenforcer.core.match.CidrBlock;
import io.quotaenforcer.core.match.Glob;
import io.quotaenforcer.core.match.Matcher;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Rules that a rule file can hold, with names and values as awkward as it allows. */
public final class RandomRules {
  private static final int[] CHARACTERS =
      "abz019 .:,-_/\\\"'#&!|>%@`{}[]?=~\n\t\u0000\u0085\u2028\ufeff\u00e4\u4f60\ud83d\ude00"
          .codePoints()
          .toArray();

  private RandomRules() {}

  /** An unpublished rule. */
  public static Rule rule(SplittableRandom random, RuleId id) {
    List<KeyAttribute> key = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      key.add(new KeyAttribute(attribute(random) + i, cut(random)));
    }
    Map<String, Matcher> match = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      match.put(attribute(random), matcher(random));
    }
    Limit limit = limit(random);
    Enforcement enforcement = Seeded.oneOf(random, Enforcement.values());
    return new Rule(
        id,
        new RuleScope(match, new RuleKey(key)),
        new Allowance(
            limit,
            Seeded.oneOf(random, 0, 500, 1 + random.nextInt(10_000)),
            Overrides.of(overrides(random, key, limit)),
            Optional.empty()),
        new Keeping(
            enforcement,
            opening(random, enforcement),
            enforcement == Enforcement.STRICT
                ? OnUnavailable.DENY
                : Seeded.oneOf(random, OnUnavailable.values())),
        new Consequence(
            enforcement == Enforcement.PER_INSTANCE ? OverLimit.THROTTLE : overLimit(random),
            Seeded.oneOf(random, Mode.values()),
            Seeded.oneOf(random, 429, 503, 403),
            Optional.empty()),
        Edition.UNPUBLISHED);
  }

  private static Opening opening(SplittableRandom random, Enforcement enforcement) {
    return enforcement == Enforcement.BALANCED
        ? Seeded.oneOf(
            random, Opening.WHOLE, Opening.SHARED, new Opening.Part(random.nextInt(10_001)))
        : Opening.WHOLE;
  }

  /** A request that has good chances to be matched by some of the rules. */
  public static Request request(SplittableRandom random, List<Rule> rules) {
    Map<String, String> attributes = new HashMap<>();
    for (Rule rule : rules) {
      if (random.nextInt(4) == 0) {
        rule.key().names().forEach(name -> attributes.putIfAbsent(name, value(random)));
        rule.match()
            .forEach((name, matcher) -> attributes.putIfAbsent(name, matching(random, matcher)));
      }
    }
    return new Request(attributes, 1);
  }

  private static String matching(SplittableRandom random, Matcher matcher) {
    if (matcher instanceof Matcher.Exact exact) {
      return exact.value();
    }
    if (matcher instanceof Matcher.Prefix prefix) {
      return prefix.prefix() + value(random);
    }
    if (matcher instanceof Matcher.Wildcard wildcard) {
      return wildcard.glob().toString();
    }
    return matcher instanceof Matcher.Cidr
        ? Seeded.oneOf(random, "10.1.2.3", "2001:db8::1", "::ffff:10.0.0.1")
        : value(random);
  }

  private static OverLimit overLimit(SplittableRandom random) {
    return random.nextInt(3) > 0
        ? OverLimit.THROTTLE
        : new OverLimit.Defer(
            1 + random.nextInt(10_000),
            Seeded.oneOf(random, OverLimit.Release.values()),
            1 + random.nextLong(1L << 50),
            Seeded.oneOf(random, 1L, 1L << 10, 3L << 20, 5L << 30, 7L << 40, 1_000_001L),
            1 + random.nextInt(OverLimit.Defer.MAX_UNACKNOWLEDGED),
            Seeded.oneOf(random, OverLimit.OnDelete.values()));
  }

  private static String value(SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      return Seeded.oneOf(random, "", "null", "~", "true", "No", "1.5", "- a", "a: b", "007", "#");
    }
    StringBuilder value = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      value.appendCodePoint(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return value.toString();
  }

  private static String attribute(SplittableRandom random) {
    return Seeded.oneOf(random, "user", "api", "a b", "null", "x:y", "\u00e4{}", "1");
  }

  private static Limit limit(SplittableRandom random) {
    long permits = Seeded.oneOf(random, 1L, 7L, 1_000L, 400_000_000_000L);
    long period =
        Seeded.oneOf(
            random,
            Limit.MIN_PERIOD_NANOS,
            1_000_000_000L,
            90_000_000_000L,
            Limit.MAX_PERIOD_NANOS,
            123_456_000_000L);
    long short90 = Math.min(period, 90_000_000_000L);
    long burst = 1 + random.nextInt(30);
    long initial = random.nextBoolean() ? burst : random.nextLong(burst + 1);
    return switch (random.nextInt(9)) {
      case 0 -> new FixedWindow(permits, period);
      case 1 -> new SlidingWindow(permits, period);
      case 2 ->
          new FixedWindow(
              permits,
              new Windows.Calendar(
                  Seeded.oneOf(random, Windows.CalendarUnit.values()),
                  ZoneId.of(Seeded.oneOf(random, "Z", "Europe/Berlin", "+05:45"))));
      case 3 -> new SlidingSubWindows(permits, period, Seeded.oneOf(random, 2, 4, 5, 10));
      case 4 -> new SlidingLog(permits, period, random.nextBoolean());
      case 5 -> new IntervalBucket(permits, short90, burst, initial);
      case 6 ->
          new WarmUpBucket(
              permits,
              short90,
              burst,
              initial,
              Seeded.oneOf(random, 1L, 500L, 90_000L) * 1_000_000);
      case 7 -> LeakyBucket.of(permits, short90, random.nextInt(30));
      default -> new TokenBucket(permits, short90, burst, initial);
    };
  }

  private static Optional<AddressCut> cut(SplittableRandom random) {
    return random.nextInt(3) > 0
        ? Optional.empty()
        : Optional.of(new AddressCut(1 + random.nextInt(32), 1 + random.nextInt(128)));
  }

  private static Matcher matcher(SplittableRandom random) {
    return switch (random.nextInt(7)) {
      case 6 -> new Matcher.Absent();
      case 5 -> new Matcher.Any();
      default -> pattern(random, random.nextInt(5));
    };
  }

  private static Matcher pattern(SplittableRandom random, int kind) {
    return switch (kind) {
      case 0 -> new Matcher.Exact(value(random));
      case 1 -> new Matcher.Prefix("p" + value(random));
      case 2 ->
          new Matcher.Wildcard(
              Glob.parse(value(random) + "*b" + (random.nextBoolean() ? "*" : "")));
      case 3 -> new Matcher.Regex(Pattern.compile(Pattern.quote(value(random)) + "[ab]*"));
      default ->
          new Matcher.Cidr(
              CidrBlock.parse(Seeded.oneOf(random, "10.0.0.0/8", "::/0", "2001:db8::/33")));
    };
  }

  private static List<RuleOverride> overrides(
      SplittableRandom random, List<KeyAttribute> key, Limit limit) {
    Map<Map<String, Matcher>, RuleOverride> overrides = new LinkedHashMap<>();
    for (int i = key.isEmpty() ? 0 : random.nextInt(4); i > 0; i--) {
      Map<String, Matcher> conditions = new HashMap<>();
      for (KeyAttribute attribute : key.subList(0, 1 + random.nextInt(key.size()))) {
        conditions.put(attribute.name(), pattern(random, random.nextInt(5)));
      }
      OverrideEffect effect =
          switch (random.nextInt(3)) {
            case 0 -> new OverrideEffect.Exempt();
            case 1 -> new OverrideEffect.Denied();
            default -> new OverrideEffect.Limited(limit.withPermits(1 + random.nextInt(100)));
          };
      overrides.putIfAbsent(conditions, new RuleOverride(conditions, effect));
    }
    return List.copyOf(overrides.values());
  }
}
