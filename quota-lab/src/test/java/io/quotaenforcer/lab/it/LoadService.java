package io.quotaenforcer.lab.it;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.enforcer.rules.RuleYaml;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.KeyEntry;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The program of a service: an admission client under load that writes down all it decides, and how
 * long answers took.
 *
 * <p>Prints {@code ready} when it has the rules, begins at the line {@code start}, prints {@code
 * second N} as its load goes on, and ends at {@code stop}, or when its input ends.
 */
public final class LoadService {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000L;

  private final AdmissionClient client;
  private final TraceWriter trace;
  private final ServiceLoad load;
  private final long epochOffsetNanos;
  private volatile boolean stopping;

  private LoadService(AdmissionClient client, TraceWriter trace, ServiceLoad load) {
    this.client = client;
    this.trace = trace;
    this.load = load;
    Instant now = Instant.now();
    this.epochOffsetNanos = now.getEpochSecond() * SECOND + now.getNano() - System.nanoTime();
  }

  /** Arguments: bootstrap servers, name of the instance, folder of the trace, seed. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    String name = arguments[1];
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (TraceWriter trace = open(Path.of(arguments[2]), List.of(name));
        LoopLog loops = new LoopLog(Path.of(arguments[2]));
        AdmissionClient client =
            AdmissionClient.builder()
                .bootstrapServers(arguments[0])
                .domains(ServiceLoad.DOMAIN)
                .instance(name)
                .telemetry(loops)
                .build()) {
      if (!client.awaitRules(Duration.ofSeconds(20))) {
        throw new IllegalStateException("must have rules within 20 s");
      }
      System.out.println("ready");
      in.readLine();
      ServiceLoad load = new ServiceLoad(Long.parseLong(arguments[3]));
      LoadService service = new LoadService(client, trace, load);
      Thread thread = new Thread(service::run, "load");
      thread.start();
      in.readLine();
      service.stopping = true;
      thread.join();
    }
    System.out.println("closed");
  }

  /** An empty trace of the load's rules, with the facts that its judge needs. */
  static TraceWriter open(Path folder, List<String> instances) throws IOException {
    return TraceWriter.open(
        folder,
        instances,
        VerdictTerms.of(ServiceLoad.SERVICES, ServiceLoad.MAX_INSTANCES),
        0,
        ServiceLoad.RULES,
        RuleYaml.file(ServiceLoad.DOMAIN, ServiceLoad.RULES));
  }

  private void run() {
    long start = System.nanoTime();
    long second = 0;
    while (!stopping) {
      long elapsed = System.nanoTime() - start;
      while (load.nextNanos() <= elapsed) {
        load.take(this::decide);
      }
      for (; second < elapsed / SECOND; second++) {
        trace.flush();
        System.out.println("second " + (second + 1));
      }
      LockSupport.parkNanos(Math.min(load.nextNanos() - elapsed, LONGEST_PAUSE_NANOS));
    }
  }

  private void decide(KeyEntry key, Request request) {
    Decision decision = client.decide(request);
    RuleDecision by = decision.rule().orElseThrow();
    trace.accept(
        by.atNanos() + epochOffsetNanos,
        0,
        key,
        request.cost(),
        decision.admitted() ? by.source() : PermitSource.NONE,
        by.windowStartNanos());
  }
}
