package io.quotaenforcer.bench.decision;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quotaenforcer.bench.decision.timed.Bucket4jBenchmark;
import io.quotaenforcer.bench.decision.timed.DecideBenchmark;
import io.quotaenforcer.bench.decision.timed.FilterBenchmark;
import io.quotaenforcer.bench.decision.timed.GuavaBenchmark;
import io.quotaenforcer.bench.decision.timed.HandleBenchmark;
import io.quotaenforcer.bench.decision.timed.LiveBenchmark;
import io.quotaenforcer.bench.decision.timed.OneRequestBenchmark;
import io.quotaenforcer.bench.decision.timed.Resilience4jBenchmark;
import io.quotaenforcer.bench.decision.timed.SentinelBenchmark;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One limiter in one case.
 *
 * @param subject the limiter, and how it is asked
 * @param peer whether it is another library's
 * @param type the class that JMH times
 * @param method of it
 */
record Measured(
    @JsonProperty("case") Group group,
    String subject,
    boolean peer,
    @JsonIgnore Class<?> type,
    @JsonIgnore String method) {
  static final Measured BALANCED =
      ours(Group.ONE_KEY, "handle, balanced", HandleBenchmark.class, "balanced");
  static final Measured STRICT =
      ours(Group.ONE_KEY, "handle, strict", HandleBenchmark.class, "strict");
  static final Measured OF_CLASS =
      ours(Group.ONE_KEY, "handle, balanced, of a class", HandleBenchmark.class, "ofClass");
  static final Measured SLOTS =
      ours(Group.ONE_KEY, "handle, slots, entered and left", HandleBenchmark.class, "slots");
  static final Measured PLAIN =
      ours(Group.ONE_REQUEST, "tryAcquire, one rule", OneRequestBenchmark.class, "plain");
  static final Measured TWO_PLAIN =
      ours(Group.ONE_REQUEST, "tryAcquire, two rules", OneRequestBenchmark.class, "twoPlain");
  static final Measured ELASTIC =
      ours(
          Group.ONE_REQUEST,
          "tryAcquire, a rule and its pool",
          OneRequestBenchmark.class,
          "elastic");
  static final Measured BORROWING =
      ours(
          Group.ONE_REQUEST,
          "tryAcquire, a rule that borrows of its pool",
          OneRequestBenchmark.class,
          "borrowing");
  static final Measured THROTTLED =
      ours(Group.THROTTLED, "handle", HandleBenchmark.class, "throttled");
  static final Measured LAYERED =
      ours(Group.LAYERED, "decide, new request", DecideBenchmark.class, "threeRules");
  static final Measured LAYERED_REUSED =
      ours(Group.LAYERED, "decide, reused request", DecideBenchmark.class, "threeRulesReused");
  static final Measured LAYERED_ACQUIRED =
      ours(
          Group.LAYERED, "tryAcquire, reused request", DecideBenchmark.class, "threeRulesAcquired");
  static final Measured EMIT = ours(Group.EVENT, "emit", LiveBenchmark.class, "emit");
  static final Measured FILTER =
      ours(Group.HTTP, "servlet filter", FilterBenchmark.class, "filter");
  static final Measured SENTINEL =
      new Measured(Group.ONE_KEY, "Sentinel", true, SentinelBenchmark.class, "oneKey");

  private static final Set<Measured> FOR_TARGETS =
      Set.of(
          BALANCED,
          STRICT,
          OF_CLASS,
          SLOTS,
          PLAIN,
          TWO_PLAIN,
          ELASTIC,
          BORROWING,
          THROTTLED,
          LAYERED,
          LAYERED_REUSED,
          LAYERED_ACQUIRED,
          EMIT,
          FILTER);
  private static final Map<String, Class<?>> PEERS = peers();

  /** All of them, in the order of their groups. */
  static List<Measured> all() {
    List<Measured> all = new ArrayList<>();
    all.add(BALANCED);
    all.add(STRICT);
    all.add(OF_CLASS);
    all.add(SLOTS);
    all.add(
        ours(
            Group.ONE_KEY,
            "handle, balanced, beside an enforcer",
            LiveBenchmark.class,
            "balanced"));
    all.add(
        ours(Group.ONE_KEY, "handle, strict, beside an enforcer", LiveBenchmark.class, "strict"));
    addPeers(all, Group.ONE_KEY, "oneKey");
    all.add(PLAIN);
    all.add(TWO_PLAIN);
    all.add(ELASTIC);
    all.add(BORROWING);
    all.add(ours(Group.MANY_KEYS, "decide, new request", DecideBenchmark.class, "oneRule"));
    all.add(
        ours(Group.MANY_KEYS, "decide, reused request", DecideBenchmark.class, "oneRuleReused"));
    all.add(ours(Group.MANY_KEYS, "decide, new request, hashed", DecideBenchmark.class, "hashed"));
    all.add(
        ours(
            Group.MANY_KEYS,
            "decide, reused request, hashed",
            DecideBenchmark.class,
            "hashedReused"));
    all.add(
        ours(
            Group.MANY_KEYS,
            "decide, new request, hashed by two keys",
            DecideBenchmark.class,
            "rotating"));
    addPeers(all, Group.MANY_KEYS, "manyKeys");
    all.add(LAYERED);
    all.add(LAYERED_REUSED);
    all.add(LAYERED_ACQUIRED);
    all.add(THROTTLED);
    all.add(ours(Group.THROTTLED, "decide", DecideBenchmark.class, "throttled"));
    addPeers(all, Group.THROTTLED, "throttled");
    all.add(ours(Group.NEW_KEY, "decide", DecideBenchmark.class, "newKey"));
    addPeers(all, Group.NEW_KEY, "newKey");
    all.add(EMIT);
    all.add(FILTER);
    return all;
  }

  /** The configuration of each limiter. */
  static Map<String, Object> configurations() {
    Map<String, Object> configurations = new LinkedHashMap<>();
    configurations.put("handle", HandleBenchmark.CONFIGURATION);
    configurations.put("one request", OneRequestBenchmark.CONFIGURATION);
    configurations.put("decide", DecideBenchmark.CONFIGURATION);
    configurations.put("decide, hashed", DecideBenchmark.HASHED_CONFIGURATION);
    configurations.put("beside an enforcer, and emit", LiveBenchmark.CONFIGURATION);
    configurations.put("servlet filter", FilterBenchmark.CONFIGURATION);
    configurations.put("Guava", GuavaBenchmark.CONFIGURATION);
    configurations.put("resilience4j", Resilience4jBenchmark.CONFIGURATION);
    configurations.put("bucket4j", Bucket4jBenchmark.CONFIGURATION);
    configurations.put("Sentinel", SentinelBenchmark.CONFIGURATION);
    return configurations;
  }

  String name() {
    return group.title() + ": " + subject;
  }

  /** Whether it needs a broker and an enforcer. */
  boolean isLive() {
    return type == LiveBenchmark.class;
  }

  /** Whether a target depends on it. */
  boolean isForTarget(int threads) {
    return threads == 1
        ? FOR_TARGETS.contains(this) || (peer && group == Group.ONE_KEY)
        : equals(BALANCED);
  }

  private static Measured ours(Group group, String subject, Class<?> type, String method) {
    return new Measured(group, subject, false, type, method);
  }

  private static void addPeers(List<Measured> all, Group group, String method) {
    PEERS.forEach((peer, type) -> all.add(new Measured(group, peer, true, type, method)));
  }

  private static Map<String, Class<?>> peers() {
    Map<String, Class<?>> peers = new LinkedHashMap<>();
    peers.put("Guava", GuavaBenchmark.class);
    peers.put("resilience4j", Resilience4jBenchmark.class);
    peers.put("bucket4j", Bucket4jBenchmark.class);
    peers.put("Sentinel", SentinelBenchmark.class);
    return peers;
  }
}
