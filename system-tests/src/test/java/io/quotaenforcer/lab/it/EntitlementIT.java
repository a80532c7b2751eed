package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits by data, set by the command line, at two instances. */
@Timeout(540)
class EntitlementIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** A request that can never be admitted is told so before. */
  private static final Duration WAIT = Duration.ofSeconds(30);

  /** A change takes effect within a second where nothing stands still: the test prints how soon. */
  private static final Duration SOON = Duration.ofSeconds(15);

  /** After which what was admitted before a change is told from what comes after it. */
  private static final Duration CERTAINLY = Duration.ofSeconds(5);

  private static final String RULE = "--rule=api/per-tenant";
  private static final String RULES =
      """
      domain: api
      rules:
        - id: per-tenant
          key: [tenant]
          limit: {permits: 100, per: 300d, algorithm: fixed-window}
          enforcement: strict
          limits-from: entitlements
          plans: {gold: {permits: 160}}
      """;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<AdmissionClient> clients = new ArrayList<>();
  private final ScheduledExecutorService load = Executors.newScheduledThreadPool(2);
  private String server = "";
  private EmbeddedBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.start();
    open.add(broker);
    server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=2", server);
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    QuotaRun.done("rules", "apply", rules.toString(), server);
    open.add(enforcer("enforcer"));
    for (int i = 0; i < 2; i++) {
      AdmissionClient client =
          AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
      open.add(client);
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      clients.add(client);
    }
  }

  private EnforcerJvm enforcer(String name) throws Exception {
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve(name), broker.bootstrapServers());
    enforcer.awaitReady();
    return enforcer;
  }

  @AfterEach
  void stopAll() throws Exception {
    load.shutdownNow();
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private void set(String tenant, String what) {
    QuotaRun.done("entitlements", "set", RULE, what, "tenant=" + tenant, server);
  }

  /** How many of so many requests, at both instances in turn, are admitted at once or soon. */
  private int admitted(String tenant, int requests, Duration wait) {
    List<CompletableFuture<Decision>> asked = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      asked.add(clients.get(i % 2).decideAsync(Request.of("tenant", tenant), wait));
    }
    return (int) asked.stream().filter(each -> each.join().admitted()).count();
  }

  /** Waits until one more is admitted, and returns after how many milliseconds it is. */
  private long millisUntilAdmitted(String tenant) {
    long began = System.nanoTime();
    await().atMost(SOON).until(() -> admitted(tenant, 1, Duration.ofMillis(100)) == 1);
    return (System.nanoTime() - began) / 1_000_000;
  }

  @Test
  @Tag("alone")
  void limits_areRaisedLoweredLiftedAndTakenBack_soon() throws Exception {
    assertThat(admitted("raised", 300, WAIT)).isEqualTo(100);
    set("raised", "--plan=gold");
    long raised = millisUntilAdmitted("raised");
    assertThat(admitted("raised", 300, WAIT)).isEqualTo(59);

    set("lowered", "--permits=100000");
    AtomicInteger lowered = new AtomicInteger();
    AtomicLong lastNanos = new AtomicLong();
    Future<?> asking =
        load.scheduleAtFixedRate(
            () ->
                clients
                    .get(lowered.get() % 2)
                    .decideAsync(Request.of("tenant", "lowered"), Duration.ofMillis(200))
                    .thenAccept(
                        it -> {
                          if (it.admitted()) {
                            lowered.incrementAndGet();
                            lastNanos.set(System.nanoTime());
                          }
                        }),
            0,
            20,
            TimeUnit.MILLISECONDS);
    await().atMost(TIMEOUT).until(() -> lowered.get() >= 30);
    set("lowered", "--permits=40");
    long loweredNanos = System.nanoTime();
    await().pollDelay(CERTAINLY).atMost(TIMEOUT).until(() -> true);
    int then = lowered.get();
    await().pollDelay(CERTAINLY).atMost(TIMEOUT).until(() -> true);
    asking.cancel(false);
    System.out.printf(
        "entitlements: lowered to 40, %d admitted, the last one %d ms later%n",
        then, (lastNanos.get() - loweredNanos) / 1_000_000);
    assertThat(lowered.get()).isEqualTo(Math.max(40, then)).isLessThan(100_000);

    set("probe", "--exempt");
    assertThat(admitted("probe", 2_000, WAIT)).isEqualTo(2_000);

    set("gone", "--permits=5");
    assertThat(admitted("gone", 20, WAIT)).isEqualTo(5);
    set("gone", "--remove");
    long gone = millisUntilAdmitted("gone");
    System.out.printf("entitlements: raised within %d ms, removed within %d ms%n", raised, gone);
    assertThat(admitted("gone", 300, WAIT)).isEqualTo(94);
  }

  @Test
  void limitsOfAFile_holdAtASuccessorToo() throws Exception {
    Path bad = Files.writeString(folder.resolve("bad.csv"), "tenant,permits\na,1\nb,many\n");
    QuotaRun refused = QuotaRun.of("entitlements", "import", RULE, bad.toString(), server);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .contains(bad + ":3: permits is \"many\"; give a whole number")
        .contains("nothing was written");
    Path file =
        Files.writeString(
            folder.resolve("good.csv"),
            "tenant,plan,permits\n\"a, b\",,3\nsecond,gold,\nthird,,0\n");
    assertThat(QuotaRun.done("entitlements", "import", RULE, file.toString(), server).out())
        .contains("api/per-tenant: set the limits of 3 quota key(s)");
    assertThat(QuotaRun.done("entitlements", "get", RULE, "tenant=second", server).out())
        .contains("api/per-tenant/second: plan gold (160 permits)");

    open.remove(1).close();
    open.add(1, enforcer("successor"));

    assertThat(admitted("a, b", 20, WAIT)).isEqualTo(3);
    assertThat(admitted("second", 300, WAIT)).isEqualTo(160);
    assertThat(admitted("third", 20, WAIT)).isZero();
  }
}
