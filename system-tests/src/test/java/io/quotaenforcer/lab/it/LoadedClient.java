package io.quotaenforcer.lab.it;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** An admission client with a thread that asks it again and again, and keeps what it decided. */
final class LoadedClient implements AutoCloseable {
  private static final long PAUSE_NANOS = 2_000_000L;
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(20);

  private final AdmissionClient client;
  private final List<Request> requests;
  private final List<Made> decisions = new ArrayList<>();
  private final Thread thread;
  private volatile boolean stopping;

  /** A decision that a rule made. */
  record Made(
      long atNanos, QuotaKey key, long limit, long windowStartNanos, long cost, boolean admitted) {}

  LoadedClient(AdmissionClient client, List<Request> requests) {
    this.client = client;
    this.requests = List.copyOf(requests);
    this.thread = new Thread(this::run, "load-" + client.instance());
  }

  /** Waits for the rules, and begins. */
  void start() throws InterruptedException {
    if (!client.awaitRules(RULES_TIMEOUT)) {
      throw new IllegalStateException("must have rules within " + RULES_TIMEOUT);
    }
    thread.start();
  }

  /** Decisions so far. */
  List<Made> decisions() {
    synchronized (decisions) {
      return List.copyOf(decisions);
    }
  }

  /** Decisions since a time, newest last. */
  List<Made> decisionsSince(long nanos) {
    return decisions().stream().filter(made -> made.atNanos() - nanos >= 0).toList();
  }

  /** Ends the load, and gives back what is held. */
  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
    client.close();
  }

  private void run() {
    while (!stopping) {
      for (Request request : requests) {
        decide(request);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void decide(Request request) {
    Decision decision = client.decide(request);
    RuleDecision by = decision.rule().orElseThrow();
    synchronized (decisions) {
      decisions.add(
          new Made(
              by.atNanos(),
              by.quotaKey(),
              by.limit(),
              by.windowStartNanos(),
              request.cost(),
              decision.admitted()));
    }
  }
}
