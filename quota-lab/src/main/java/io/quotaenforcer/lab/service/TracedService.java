package io.quotaenforcer.lab.service;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.lab.trace.TraceWriter;
import io.quotaenforcer.lab.verdict.KeyEntry;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
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
public final class TracedService {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000L;
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(60);

  /** Interval between writes to disk: a kill loses the decisions since the last one. */
  private static final long FLUSH_NANOS = 50_000_000L;

  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

  private final AdmissionClient client;
  private final TraceWriter trace;
  private final RequestStream load;
  private final long epochOffsetNanos;
  private volatile boolean stopping;

  private TracedService(AdmissionClient client, TraceWriter trace, RequestStream load) {
    this.client = client;
    this.trace = trace;
    this.load = load;
    Instant now = Instant.now();
    this.epochOffsetNanos = now.getEpochSecond() * SECOND + now.getNano() - System.nanoTime();
  }

  /**
   * Runs until it is told to stop.
   *
   * @param name of the instance
   * @param folder gets its trace and its loops
   */
  public static void run(
      TraceFolder traces, String bootstrapServers, String name, Path folder, RequestStream load)
      throws IOException, InterruptedException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
    try (TraceWriter trace = traces.open(folder, List.of(name));
        LoopLog loops = new LoopLog(folder);
        AdmissionClient client =
            AdmissionClient.builder()
                .bootstrapServers(bootstrapServers)
                .domains(traces.domain())
                .instance(name)
                .telemetry(loops)
                .build()) {
      if (!client.awaitRules(RULES_TIMEOUT)) {
        throw new IllegalStateException("must have rules within " + RULES_TIMEOUT);
      }
      OUT.println("ready");
      in.readLine();
      TracedService service = new TracedService(client, trace, load);
      Thread thread = new Thread(service::run, "load");
      thread.start();
      in.readLine();
      service.stopping = true;
      thread.join();
    }
    OUT.println("closed");
  }

  private void run() {
    long start = System.nanoTime();
    long second = 0;
    long flushed = 0;
    while (!stopping) {
      long elapsed = System.nanoTime() - start;
      while (load.nextNanos() <= elapsed) {
        load.take(this::decide);
      }
      if (elapsed - flushed >= FLUSH_NANOS) {
        trace.flush();
        flushed = elapsed;
      }
      for (; second < elapsed / SECOND; second++) {
        OUT.println("second " + (second + 1));
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
