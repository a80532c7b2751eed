package io.quotaenforcer.samples.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Deferral;
import io.quotaenforcer.client.replay.ReplayOptions;
import io.quotaenforcer.client.replay.ReplayRunner;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.message.Replay;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Sends mails as a limit allows. Those above it are handed over, and come back one by one. */
public final class Mails {
  private static final Duration RULES = Duration.ofSeconds(30);

  /** A first permit takes a loop; one that is due later than this is not waited for. */
  private static final Duration PERMIT = Duration.ofSeconds(3);

  private final long start = System.nanoTime();
  private final CountDownLatch unsent;

  private Mails(int mails) {
    unsent = new CountDownLatch(mails);
  }

  /**
   * Ends when all are sent.
   *
   * @param arguments Kafka's address, and how many mails
   */
  public static void main(String[] arguments) throws InterruptedException {
    int mails = Integer.parseInt(arguments[1]);
    new Mails(mails).run(arguments[0], mails);
  }

  private void run(String kafka, int mails) throws InterruptedException {
    try (AdmissionClient client = AdmissionClient.builder().bootstrapServers(kafka).build();
        ReplayRunner runner = client.replays(this::again, ReplayOptions.DEFAULTS)) {
      if (!client.awaitRules(RULES)) {
        throw new IllegalStateException("no rules: " + client.readiness());
      }
      for (int mail = 1; mail <= mails; mail++) {
        send(client, "mail " + mail);
      }
      if (!unsent.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("mails that did not come back: " + unsent.getCount());
      }
    }
  }

  private void send(AdmissionClient client, String text) throws InterruptedException {
    Request request = Request.of("api", "POST /mails", "sender", "ann");
    if (decide(client, request).admitted()) {
      deliver(text, "sent");
    } else {
      say(text, "over the limit, deferred");
      client.defer(request, Deferral.of(text.getBytes(UTF_8))).join();
    }
  }

  /** Asks again while the enforcer has not said yet whether there are permits. */
  private static Decision decide(AdmissionClient client, Request request)
      throws InterruptedException {
    while (true) {
      Decision decision = client.decide(request, PERMIT);
      if (!(decision instanceof Decision.Throttled throttled)
          || throttled.reason() != ThrottleReason.NOT_GRANTED_YET) {
        return decision;
      }
    }
  }

  /** There are permits again, and this mail has paid for itself. */
  private ReplayOutcome again(Replay replay) {
    deliver(new String(replay.payload().toByteArray(), UTF_8), "came back, sent");
    return ReplayOutcome.done();
  }

  private void deliver(String text, String how) {
    say(text, how);
    unsent.countDown();
  }

  private void say(String text, String what) {
    System.out.printf("%5.1f s  %s: %s%n", (System.nanoTime() - start) / 1e9, text, what);
  }
}
