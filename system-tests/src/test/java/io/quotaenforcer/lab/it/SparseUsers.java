package io.quotaenforcer.lab.it;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Users of one service who come once, far below their limit: with two requests some time apart, or
 * with some at once. Each is a quota key that nobody has asked for before.
 */
final class SparseUsers implements AutoCloseable {
  static final String DOMAIN = "page";

  /** The default of the README; each rule counts an attribute of its own. */
  static final String BALANCED = "balanced";

  static final List<String> STRICT = List.of("strict-bucket", "strict-log", "strict-window");

  static final String RULES =
      """
      domain: page
      rules:
        - {id: balanced, key: [balanced], limit: {permits: 60, per: 1s}}
        - {id: strict-bucket, key: [strict-bucket], enforcement: strict,
           limit: {permits: 200, per: 1s, algorithm: token-bucket}}
        - {id: strict-log, key: [strict-log], enforcement: strict,
           limit: {permits: 100, per: 2s, algorithm: sliding-log}}
        - {id: strict-window, key: [strict-window], enforcement: strict,
           limit: {permits: 500, per: 5s, algorithm: fixed-window}}
      """;

  private static final int USERS = 16;
  private static final int BURST = 10;
  private static final int WARM_UP_USERS = 100;
  static final Duration SOON = Duration.ofMillis(500);
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);
  private static final List<Duration> GAPS =
      List.of(
          Duration.ofMillis(50),
          Duration.ofMillis(100),
          Duration.ofMillis(200),
          Duration.ofMillis(400),
          Duration.ofMillis(700),
          Duration.ofMillis(1_000),
          Duration.ofMillis(1_300),
          Duration.ofMillis(1_550));

  /** From one user to the next. */
  private static final long APART_MICROS = 6_000;

  /** The same where nobody is to wait for another one. */
  private static final long SINGLY_MICROS = 60_000;

  private final AdmissionClient client;
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final List<CompletableFuture<Seen>> seen = new ArrayList<>();
  private int warmUps;
  private int visits;

  /**
   * One request and its answer.
   *
   * @param visit what kind of visit it was part of
   * @param number of the request in its visit, from 1
   */
  record Seen(String rule, String visit, int number, boolean admitted, long waitNanos) {}

  SparseUsers(AdmissionClient client) {
    this.client = client;
  }

  /**
   * Whether other users, of every partition, are admitted by a strict rule soon: not while the code
   * of the processes, which have just started, is not compiled.
   */
  boolean areAnsweredAtOnce() {
    List<CompletableFuture<Decision>> answers = new ArrayList<>();
    for (int i = 0; i < WARM_UP_USERS; i++) {
      Request request = Request.of(STRICT.get(i % STRICT.size()), "warm-up " + warmUps++);
      answers.add(client.decideAsync(request, SOON));
    }
    return answers.stream().filter(answer -> answer.join().admitted()).count() == WARM_UP_USERS;
  }

  /** Has all of them come, mixed, other users each time, and waits for the last answer. */
  List<Seen> visit() {
    long startMicros = 0;
    seen.clear();
    visits++;
    List<String> rules = new ArrayList<>(STRICT);
    rules.add(BALANCED);
    for (int user = 0; user < USERS; user++) {
      for (String rule : rules) {
        for (Duration gap : GAPS) {
          String visit = "gap %4d ms".formatted(gap.toMillis());
          plan(rule, visit, user, 1, startMicros);
          plan(rule, visit, user, 2, startMicros + TimeUnit.MILLISECONDS.toMicros(gap.toMillis()));
          startMicros += APART_MICROS;
        }
        for (int i = 1; i <= BURST; i++) {
          plan(rule, "burst of " + BURST, user, i, startMicros);
        }
        startMicros += APART_MICROS;
      }
    }
    return seen.stream().map(CompletableFuture::join).toList();
  }

  /** Users of strict rules who come one after the other, once each. */
  List<Seen> visitSingly() {
    seen.clear();
    visits++;
    for (int i = 0; i < STRICT.size() * USERS; i++) {
      plan(STRICT.get(i % STRICT.size()), "single", i, 1, i * SINGLY_MICROS);
    }
    return seen.stream().map(CompletableFuture::join).toList();
  }

  private void plan(String rule, String visit, int user, int number, long atMicros) {
    Request request = Request.of(rule, visit + " user " + user + " of " + visits);
    Function<Request, CompletableFuture<Decision>> decider =
        rule.equals(BALANCED)
            ? asked -> CompletableFuture.completedFuture(client.decide(asked))
            : asked -> client.decideAsync(asked, MAX_WAIT, Runnable::run);
    CompletableFuture<Seen> answer = new CompletableFuture<>();
    seen.add(answer);
    timer.schedule(
        () -> {
          long asked = System.nanoTime();
          decider
              .apply(request)
              .thenApply(
                  decision ->
                      new Seen(rule, visit, number, decision.admitted(), System.nanoTime() - asked))
              .whenComplete(
                  (each, failure) -> {
                    if (failure == null) {
                      answer.complete(each);
                    } else {
                      answer.completeExceptionally(failure);
                    }
                  });
        },
        atMicros,
        TimeUnit.MICROSECONDS);
  }

  /**
   * How many were throttled, by rule, visit and number of the request; those of which some were.
   */
  static Map<String, Long> throttled(List<Seen> seen) {
    Map<String, Long> throttled = new TreeMap<>();
    for (Seen each : seen) {
      if (!each.admitted) {
        String where = "%s, %s, request %d".formatted(each.rule, each.visit, each.number);
        throttled.merge(where, 1L, Long::sum);
      }
    }
    return throttled;
  }

  /** Waits of the callers of each strict rule, first and second request apart. */
  static List<String> waits(List<Seen> seen) {
    Map<String, List<Long>> waits = new TreeMap<>();
    for (Seen each : seen) {
      if (STRICT.contains(each.rule)) {
        String which = each.number == 1 ? "first request" : "further requests";
        waits.computeIfAbsent(which, key -> new ArrayList<>()).add(each.waitNanos);
        waits.computeIfAbsent(each.rule, key -> new ArrayList<>()).add(each.waitNanos);
      }
    }
    return waits.entrySet().stream()
        .map(entry -> entry.getKey() + ": " + describe(entry.getValue()))
        .toList();
  }

  private static String describe(List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "wait p50 %.1f, p90 %.1f, p99 %.1f, most %.1f ms of %d",
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 9 / 10] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6,
        Arrays.stream(sorted).max().orElse(0) / 1e6,
        sorted.length);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
