package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A user who asks for more than their limit, beside others who do not, at two instances. */
@Tag("alone")
@Timeout(360)
class ElasticIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Shorter than a window: who gets nothing of theirs is throttled. */
  private static final Duration WAIT = Duration.ofSeconds(4);

  private static final long WINDOW_NANOS = 5_000_000_000L;

  /** The first is that in which the instances see the keys for the first time. */
  private static final int WINDOWS = 4;

  private static final int OWN = 50;
  private static final int POOL = 200;
  private static final int OTHERS = 10;
  private static final String RULES =
      """
      domain: messages
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 50, per: 5s, algorithm: fixed-window}
          enforcement: strict
          elastic: {pool: all, up-to: 300%}
        - id: all
          limit: {permits: 200, per: 5s, algorithm: fixed-window}
          enforcement: strict
      """;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final List<AdmissionClient> clients = new ArrayList<>();
  private final ScheduledExecutorService load = Executors.newScheduledThreadPool(2);
  private final Map<Long, AtomicInteger> ofPool = new ConcurrentHashMap<>();
  private final Map<Long, AtomicInteger> ofGreedy = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Decision> othersThrottled = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    EmbeddedBroker broker = PreparedBroker.start(open, 2, folder, RULES);
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), broker.bootstrapServers());
    open.add(enforcer);
    enforcer.awaitReady();
    for (int i = 0; i < 2; i++) {
      AdmissionClient client =
          AdmissionClient.builder().bootstrapServers(broker.bootstrapServers()).build();
      open.add(client);
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
      clients.add(client);
    }
  }

  @AfterEach
  void stopAll() throws Exception {
    load.shutdownNow();
  }

  private static long window(Decision decision, String rule) {
    return decision.rules().stream()
        .filter(each -> each.quotaKey().rule().id().equals(rule))
        .mapToLong(RuleDecision::windowStartNanos)
        .findFirst()
        .orElseThrow();
  }

  private void asks(String user, CountDownLatch windows) {
    AdmissionClient client = clients.get(asked.incrementAndGet() % clients.size());
    boolean isGreedy = user.equals("greedy");
    client
        .decideAsync(Request.of("user", user), isGreedy ? Duration.ZERO : WAIT)
        .thenAccept(decision -> decided(decision, isGreedy, windows));
  }

  private synchronized void decided(Decision decision, boolean isGreedy, CountDownLatch windows) {
    if (decision.admitted()) {
      long window = window(decision, "all");
      if (ofPool.putIfAbsent(window, new AtomicInteger()) == null) {
        windows.countDown();
      }
      ofPool.get(window).incrementAndGet();
      if (isGreedy) {
        ofGreedy.computeIfAbsent(window, start -> new AtomicInteger()).incrementAndGet();
      }
    } else if (!isGreedy) {
      othersThrottled.add(decision);
    }
  }

  @Test
  void greedyUser_getsWhatThePoolHasLeft_andOthersAllThatTheyAskFor() throws Exception {
    CountDownLatch windows = new CountDownLatch(WINDOWS + 1);
    AtomicInteger other = new AtomicInteger();
    load.scheduleAtFixedRate(() -> asks("greedy", windows), 0, 10, TimeUnit.MILLISECONDS);
    load.scheduleAtFixedRate(
        () -> asks("u" + other.incrementAndGet() % OTHERS, windows), 0, 100, TimeUnit.MILLISECONDS);

    assertThat(windows.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();

    synchronized (this) {
      List<Long> whole = ofPool.keySet().stream().sorted().limit(WINDOWS).skip(1).toList();
      assertThat(whole.get(whole.size() - 1) - whole.get(0))
          .isEqualTo((whole.size() - 1) * WINDOW_NANOS);
      for (long window : whole) {
        System.out.printf(
            "elastic: %d of %d of the pool, %d of them by who has a limit of %d%n",
            ofPool.get(window).get(), POOL, ofGreedy.get(window).get(), OWN);
        assertThat(ofPool.get(window).get()).isBetween((int) (0.75 * POOL), POOL);
        assertThat(ofGreedy.get(window).get()).isBetween(2 * OWN, 3 * OWN);
      }
      assertThat(othersThrottled).isEmpty();
    }
  }
}
