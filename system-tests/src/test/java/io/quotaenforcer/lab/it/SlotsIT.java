package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Passage;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A limit of requests that run at a time, kept by several instances together. */
@Tag("alone")
@Timeout(540)
class SlotsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int SLOTS = 20;
  private static final int INSTANCES = 8;
  private static final long LEASE_SECONDS = 2;
  private static final long MAX_HOLD_SECONDS = 5;
  private static final String RULES =
      """
      domain: reports
      rules:
        - {id: exports, key: [tenant], limit: {concurrent: 20, max-hold: 5s}}
      """;

  @TempDir static Path folder;
  @AutoClose private static final Opened CLUSTER = new Opened();
  private static String servers = "";

  @AutoClose private final Opened open = new Opened();
  private final Held held = new Held();
  private final ScheduledExecutorService work = Executors.newScheduledThreadPool(2);

  /** How many slots are held, by nothing but when requests are let in and end. */
  private static final class Held {
    private int now;
    private int most;
    private long sinceNanos = System.nanoTime();
    private double slotNanos;

    synchronized void change(int slots) {
      long at = System.nanoTime();
      slotNanos += (double) now * (at - sinceNanos);
      sinceNanos = at;
      now += slots;
      most = Math.max(most, now);
    }

    synchronized int most() {
      return most;
    }

    synchronized double takeSlotNanos() {
      change(0);
      double taken = slotNanos;
      slotNanos = 0;
      return taken;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    CLUSTER.add(broker);
    servers = broker.bootstrapServers();
    String server = "--bootstrap-server=" + servers;
    QuotaRun.done("topics", "create", "--partitions=2", server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), servers);
    CLUSTER.add(enforcer);
    enforcer.awaitReady();
  }

  @AfterEach
  void stopAll() throws Exception {
    work.shutdownNow();
  }

  private AdmissionClient client() throws InterruptedException {
    AdmissionClient client = AdmissionClient.builder().bootstrapServers(servers).build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    return client;
  }

  /** Runs requests one after the other, each in a slot for a while. */
  private void runs(AdmissionClient client, SplittableRandom random, AtomicBoolean ends) {
    if (ends.get()) {
      return;
    }
    client
        .enterAsync(Request.of("tenant", "acme"), TIMEOUT)
        .thenAccept(
            passage -> {
              if (!passage.entered()) {
                work.schedule(() -> runs(client, random, ends), 10, TimeUnit.MILLISECONDS);
                return;
              }
              held.change(1);
              long millis;
              synchronized (random) {
                millis = random.nextLong(20, 180);
              }
              work.schedule(
                  () -> ends(passage, client, random, ends), millis, TimeUnit.MILLISECONDS);
            });
  }

  private void ends(
      Passage passage, AdmissionClient client, SplittableRandom random, AtomicBoolean ends) {
    held.change(-1);
    passage.release();
    runs(client, random, ends);
  }

  @Test
  void slots_atTwiceTheDemand_areHeldNearlyAll_andNeverMore() throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    AtomicBoolean ends = new AtomicBoolean();
    for (int i = 0; i < INSTANCES; i++) {
      AdmissionClient client = client();
      for (int worker = 0; worker < 2 * SLOTS / INSTANCES; worker++) {
        runs(client, random, ends);
      }
    }
    awaitNanos(3_000_000_000L);
    held.takeSlotNanos();
    long begun = System.nanoTime();
    awaitNanos(6_000_000_000L);
    double mean = held.takeSlotNanos() / (System.nanoTime() - begun);
    ends.set(true);

    System.out.printf(
        Locale.ROOT,
        "slots: %.2f of %d held on average at twice the demand, %d at most%n",
        mean,
        SLOTS,
        held.most());
    assertThat(held.most()).isLessThanOrEqualTo(SLOTS);
    assertThat(mean).isGreaterThanOrEqualTo(0.9 * SLOTS);
  }

  private static void awaitNanos(long nanos) throws InterruptedException {
    new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
  }

  @Test
  void slotsOfAProcessThatWasKilled_comeBack_withinLeaseAndMaxHold() throws Exception {
    ChildJvm holder =
        ChildJvm.start(
            "holder",
            folder.resolve("holder"),
            SlotHolder.class,
            servers,
            "killed",
            String.valueOf(SLOTS));
    open.add(holder);
    holder.awaitLine("holds " + SLOTS, TIMEOUT);
    AdmissionClient client = client();
    Request request = Request.of("tenant", "killed");
    assertThat(client.enter(request, Duration.ofSeconds(1)).entered()).isFalse();

    holder.signal("KILL");
    long killed = System.nanoTime();
    List<CompletableFuture<Passage>> waiting = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      waiting.add(client.enterAsync(request, TIMEOUT));
    }
    for (CompletableFuture<Passage> each : waiting) {
      assertThat(each.get().entered()).isTrue();
    }
    double seconds = (System.nanoTime() - killed) / 1e9;
    System.out.printf(
        Locale.ROOT, "slots: all %d of a killed process back after %.2f s%n", SLOTS, seconds);
    assertThat(seconds)
        .isGreaterThan(MAX_HOLD_SECONDS - 1)
        .isLessThan(LEASE_SECONDS + MAX_HOLD_SECONDS + 6);
    assertThat(client.enter(request).entered()).isFalse();
    waiting.forEach(each -> each.join().release());
  }
}
