package io.quotaenforcer.docs;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferred;
import io.quotaenforcer.client.Load;
import io.quotaenforcer.client.Passage;
import io.quotaenforcer.client.Reservation;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.client.spi.ManualClock;
import io.quotaenforcer.client.spi.ReplayHandler;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Rule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.LongSupplier;

/** The Java of the page on the client: {@link ClientPageTest} compares and runs it. */
final class ClientSnippets {
  private final List<Object> done = new ArrayList<>();
  private final LongSupplier model;

  /**
   * @param model what a call costs
   */
  ClientSnippets(LongSupplier model) {
    this.model = model;
  }

  /** Results of the snippets. */
  List<Object> done() {
    return done;
  }

  void waiting(Admission admission, Request request) throws InterruptedException {
    // tag::waiting[]
    Decision decision = admission.decide(request, Duration.ofMillis(200)); // this thread waits

    admission // no thread waits
        .decideAsync(request, Duration.ofMillis(200))
        .thenAccept(later -> report(List.of(later.admitted())));
    // end::waiting[]
    report(List.of(decision.admitted()));
  }

  void reserve(Admission admission) {
    // tag::reserve[]
    ReserveOutcome outcome = admission.reserve(Request.of("tenant", "acme"), 500);
    if (outcome instanceof Reservation reservation) {
      try (reservation) { // closed without a commit, as after an exception: refunded
        long actual = callTheModel();
        reservation.commit(actual);
      }
    } else {
      answerTooManyRequests(outcome.decision());
    }
    // end::reserve[]
  }

  void outcome(Admission admission) {
    // tag::outcome[]
    ReserveOutcome login = admission.reserve(Request.of("api", "POST /login", "account", "ann"));
    if (login instanceof Reservation reservation) {
      try (reservation) { // closed without a commit: counts as a failure
        reservation.commit(Map.of("status", logIn()));
      }
    }
    // end::outcome[]
  }

  void run(Admission admission, Request request) {
    // tag::run[]
    String answer = admission.run(request, () -> callTheShop());
    // end::run[]
    tell(answer);
  }

  void passage(Admission admission) {
    // tag::passage[]
    try (Passage passage = admission.enter(Request.of("tenant", "acme"))) {
      if (passage.entered()) {
        tell("runs");
      }
    }
    // end::passage[]
  }

  void load(AdmissionClient client, Queue<String> waiting) {
    // tag::load[]
    client.load().measureCpu().measure(LoadQuantity.QUEUE, () -> waiting.size());
    try (Load.Running request = client.load().begin()) {
      tell("serves");
    }
    // end::load[]
  }

  void told(Deferred answer) {
    // tag::told[]
    if (answer instanceof Deferred.Accepted accepted) {
      tell(accepted.id() + " waits, one of " + accepted.waiting());
    } else if (answer instanceof Deferred.Refused refused) {
      tell(
          refused.reason()
              + refused
                  .retryAfter()
                  .map(time -> "; try again in " + time.toSeconds() + " s")
                  .orElse(""));
    }
    // end::told[]
  }

  ReplayHandler handler() {
    // tag::handler[]
    ReplayHandler handler =
        replay -> {
          String text = new String(replay.payload().toByteArray(), StandardCharsets.UTF_8);
          tell(replay.id() + " of " + replay.request().attributes().get("user") + ": " + text);
          return ReplayOutcome.done();
        };
    // end::handler[]
    return handler;
  }

  void standalone() {
    // tag::standalone[]
    Rule rule =
        Rule.of(
            RuleId.parse("posts/posts-per-user"),
            List.of("user"),
            new FixedWindow(2, Duration.ofMinutes(1).toNanos()));

    ManualClock clock =
        new ManualClock(Instant.parse("2026-01-01T00:00:00Z")); // or Clocks.system()
    try (Admission admission = AdmissionClient.standalone(List.of(rule), clock.clocks())) {
      Request post = Request.of("user", "42", "api", "POST /posts");
      List<Boolean> admitted = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        admitted.add(admission.decide(post).admitted());
      }
      clock.advance(Duration.ofMinutes(1));
      admitted.add(admission.decide(post).admitted()); // true, true, false, true
      report(admitted);
    }
    // end::standalone[]
  }

  private void report(List<Boolean> admitted) {
    done.addAll(admitted);
  }

  private void tell(String what) {
    done.add(what);
  }

  private String logIn() {
    done.add("in");
    return "200";
  }

  private long callTheModel() {
    long cost = model.getAsLong();
    done.add("called");
    return cost;
  }

  private static String callTheShop() {
    return "sold";
  }

  private void answerTooManyRequests(Decision decision) {
    done.add("throttled, owing " + decision.rule().orElseThrow().owed());
  }
}
