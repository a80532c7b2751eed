package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Reservation;
import io.quotaenforcer.client.ReserveOutcome;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.EnforcerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Passwords of one account are guessed at every instance of a login service at once, over a broker.
 * Only failed logins count, so that its owner is not locked out by logging in.
 */
@Timeout(720)
class BruteForceIT {
  private static final Path RULES = Path.of("../topology-docs/samples/login-rules.yaml");
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Of a guess, which need not pass: there are more rounds. */
  private static final Duration WAIT = Duration.ofSeconds(2);

  private static final int INSTANCES = 8;
  private static final int FAILURES = 5;
  private static final int MOST_ROUNDS = 30;

  @TempDir Path folder;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final AtomicInteger passed = new AtomicInteger();
  private String servers = "";

  /** The newest guess that did not pass. */
  private volatile String refused = "";

  @BeforeEach
  void start() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    open.add(broker);
    servers = broker.bootstrapServers();
    String server = "--bootstrap-server=" + servers;
    QuotaRun.done("topics", "create", "--partitions=2", server);
    QuotaRun.done("rules", "apply", RULES.toString(), server);
    EnforcerJvm enforcer = EnforcerJvm.start(folder.resolve("enforcer"), servers);
    open.add(enforcer);
    enforcer.awaitReady();
  }

  @AfterEach
  void stopAll() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private List<AdmissionClient> clients() throws InterruptedException {
    List<AdmissionClient> clients = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      AdmissionClient client = AdmissionClient.builder().bootstrapServers(servers).build();
      open.add(client);
      clients.add(client);
    }
    for (AdmissionClient client : clients) {
      assertThat(client.awaitRules(TIMEOUT)).isTrue();
    }
    return clients;
  }

  private static CompletableFuture<ReserveOutcome> asked(
      AdmissionClient client, String account, Duration wait) {
    Request login = Request.of("api", "POST /login", "account", account, "ip", "192.0.2.7");
    return client.reserveAsync(login, wait);
  }

  /** A wrong password, if it gets as far as being looked at. */
  private CompletableFuture<Void> guess(AdmissionClient client) {
    return asked(client, "ann", WAIT)
        .thenAccept(
            outcome -> {
              if (outcome instanceof Reservation reservation) {
                passed.incrementAndGet();
                reservation.commit(Map.of("status", "401"));
              } else {
                refused = outcome.decision().toString();
              }
            });
  }

  private void guessEverywhere(List<AdmissionClient> clients) {
    CompletableFuture.allOf(clients.stream().map(this::guess).toArray(CompletableFuture<?>[]::new))
        .join();
  }

  @Test
  void guessesAtAllInstancesAtOnce_failAsOftenAsTheLimitSays_andLoginsCountNothing()
      throws Exception {
    List<AdmissionClient> clients = clients();
    AdmissionClient home = clients.get(0);
    for (int i = 0; i < 4 * FAILURES; i++) {
      ReserveOutcome login = asked(home, "ann", TIMEOUT).join();
      assertThat(login).as("login %d: %s", i, login.decision()).isInstanceOf(Reservation.class);
      ((Reservation) login).commit(Map.of("status", "200"));
    }

    int rounds = 0;
    while (passed.get() < FAILURES && rounds < MOST_ROUNDS) {
      guessEverywhere(clients);
      rounds++;
    }
    int untilThen = passed.get();
    guessEverywhere(clients);
    guessEverywhere(clients);

    System.out.printf(
        Locale.ROOT,
        "brute force: %d of %d guesses at %d instances passed%n",
        passed.get(),
        (rounds + 2) * INSTANCES,
        INSTANCES);
    assertThat(untilThen).as("in %d rounds; then %s", rounds, refused).isEqualTo(FAILURES);
    assertThat(passed.get()).as("after the limit").isEqualTo(FAILURES);
    assertThat(asked(home, "bob", TIMEOUT).join())
        .as("another account")
        .isInstanceOf(Reservation.class);
  }
}
