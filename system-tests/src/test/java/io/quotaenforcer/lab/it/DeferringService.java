package io.quotaenforcer.lab.it;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.KeyTable;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import io.quotaenforcer.rules.RuleYaml;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The program of a service that asks for about half of each limit all the time, and at the line
 * {@code burst N} for far more, until it has deferred N requests that were throttled.
 *
 * <p>Writes down what it decided, and in {@code deferrals.log}: {@code D,id,key,priority} for each
 * request before it is deferred, in this order, then {@code A,id} if it was accepted, {@code
 * R,id,reason} if it was refused, {@code E,id,reason} if no answer came. Prints {@code tick N} ten
 * times a second, and {@code burst over} when all answers are there.
 */
public final class DeferringService {
  static final String NAME = "service";
  static final String LOG = "deferrals.log";

  private static final long SECOND = 1_000_000_000L;
  private static final long TICK = SECOND / 10;

  /** Share of the limits, between bursts. */
  private static final double CALM = 0.5;

  private static final double BURST = 8;

  private final AdmissionClient client;
  private final TraceWriter trace;
  private final LogFile log;
  private final SplittableRandom random;
  private final KeyTable keys = new KeyTable(DeferralLoad.RULES);
  private final AtomicInteger unanswered = new AtomicInteger();
  private final long epochOffsetNanos;
  private final AtomicInteger toDefer = new AtomicInteger();
  private volatile boolean stopping;
  private int deferred;

  private DeferringService(AdmissionClient client, TraceWriter trace, LogFile log, long seed) {
    this.client = client;
    this.trace = trace;
    this.log = log;
    this.random = new SplittableRandom(seed);
    Instant now = Instant.now();
    this.epochOffsetNanos = now.getEpochSecond() * SECOND + now.getNano() - System.nanoTime();
  }

  /** Arguments: bootstrap servers, folder, seed. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Path folder = Path.of(arguments[1]);
    try (TraceWriter trace = trace(folder, List.of(NAME));
        LogFile log = new LogFile(folder.resolve(LOG));
        AdmissionClient client =
            AdmissionClient.builder()
                .bootstrapServers(arguments[0])
                .domains(DeferralLoad.DOMAIN)
                .instance(NAME)
                .property("defer.timeout", "60s")
                .build()) {
      if (!client.awaitRules(Duration.ofSeconds(60))) {
        throw new IllegalStateException("must have rules within 20 s");
      }
      System.out.println("ready");
      DeferringService service =
          new DeferringService(client, trace, log, Long.parseLong(arguments[2]));
      Thread thread = new Thread(service::run, "load");
      thread.start();
      for (String line = in.readLine(); line != null && !line.equals("stop"); ) {
        service.toDefer.addAndGet(Integer.parseInt(line.substring("burst ".length())));
        line = in.readLine();
      }
      service.stopping = true;
      thread.join();
    }
    System.out.println("closed");
  }

  /** An empty trace, with the facts that its judge needs. */
  static TraceWriter trace(Path folder, List<String> instances) throws IOException {
    return TraceWriter.open(
        folder,
        instances,
        VerdictTerms.of(1, DeferralLoad.MAX_INSTANCES),
        0,
        DeferralLoad.RULES,
        RuleYaml.file(DeferralLoad.DOMAIN, DeferralLoad.RULES));
  }

  private void run() {
    long start = System.nanoTime();
    double due = 0;
    boolean bursting = false;
    for (long tick = 1; !stopping; tick++) {
      while (System.nanoTime() - start < tick * TICK) {
        double factor = toDefer.get() > 0 ? BURST : CALM;
        while (due <= System.nanoTime() - start) {
          ask();
          due += SECOND / (factor * perSecond());
        }
        LockSupport.parkNanos(SECOND / 1000);
      }
      trace.flush();
      System.out.println("tick " + tick);
      if (bursting && toDefer.get() <= 0 && unanswered.get() == 0) {
        System.out.println("burst over " + deferred);
      }
      bursting = toDefer.get() > 0 || unanswered.get() > 0;
    }
  }

  private static double perSecond() {
    return DeferralLoad.RULES.stream().mapToLong(rule -> rule.limit().permits()).sum()
        * DeferralLoad.KEYS;
  }

  private void ask() {
    Rule rule = DeferralLoad.rule(random);
    int key = random.nextInt(DeferralLoad.KEYS);
    Request request = DeferralLoad.request(rule, key);
    Decision decision = client.decide(request);
    RuleDecision by = decision.rule().orElseThrow();
    trace.accept(
        by.atNanos() + epochOffsetNanos,
        0,
        keys.of(by.quotaKey()),
        request.cost(),
        decision.admitted() ? by.source() : PermitSource.NONE,
        by.windowStartNanos());
    if (!decision.admitted() && toDefer.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      defer(request, rule, key);
    }
  }

  private void defer(Request request, Rule rule, int key) {
    String id = "r" + ++deferred;
    Priority priority = DeferralLoad.priority(random);
    log.write("D", id, DeferralLoad.key(rule, key), priority);
    unanswered.incrementAndGet();
    client
        .defer(
            request,
            Deferral.of(id.getBytes(StandardCharsets.UTF_8)).withId(id).withPriority(priority))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                log.write("E", id, failure.toString().replace('\n', ' '));
              } else if (answer instanceof Deferred.Refused refused) {
                log.write("R", id, refused.reason());
              } else {
                log.write("A", id);
              }
              unanswered.decrementAndGet();
            });
  }
}
