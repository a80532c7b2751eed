package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.ThrottleReason;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser, before a real enforcer that counts what a client decides. */
@Timeout(720)
class ConsoleIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int PARTITIONS = 4;
  private static final long FIRST_VIEW_MILLIS = 1_000;
  private static final String VIEWER = "a-token-of-a-viewer";
  private static final String OPERATOR = "a-token-of-an-operator";
  private static final String RULES =
      """
      domain: posts
      rules:
        - id: per-user
          key: [user]
          limit: {permits: 5, per: 1s, algorithm: fixed-window}
        - id: later
          key: [mail]
          limit: {permits: 1, per: 7d, algorithm: fixed-window}
          enforcement: strict
          over-limit: defer
        - id: guarded
          key: [account]
          limit: {permits: 10, per: 1h, algorithm: fixed-window}
          enforcement: strict
          penalty: {after: 20, within: 1m, for: 10m}
      """;

  private static final String PAIR =
      """
      domain: posts
      rules:
        - id: of-all
          limit: {permits: 500, per: 1s, algorithm: token-bucket}
        - id: elastic
          key: [user]
          limit: {permits: 3, per: 1s, algorithm: token-bucket}
          elastic: {pool: of-all, up-to: 300%}
      """;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private final ScheduledExecutorService traffic = Executors.newSingleThreadScheduledExecutor();
  private EmbeddedBroker broker;
  private AdmissionClient client;
  private EnforcerJvm enforcer;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    Browser.require();
    broker = EmbeddedBroker.start();
    open.add(broker);
    String server = "--bootstrap-server=" + broker.bootstrapServers();
    QuotaRun.done("topics", "create", "--partitions=" + PARTITIONS, server);
    QuotaRun.done(
        "rules", "apply", Files.writeString(folder.resolve("r.yaml"), RULES).toString(), server);
    Path tokens =
        Files.writeString(
            folder.resolve("tokens"),
            AccessTokens.line("vic", Role.VIEWER, VIEWER)
                + "\n"
                + AccessTokens.line("olga", Role.OPERATOR, OPERATOR));
    enforcer =
        EnforcerJvm.start(
            folder.resolve("enforcer"),
            broker.bootstrapServers(),
            "http.api.tokens.file=" + tokens);
    open.add(enforcer);
    client =
        AdmissionClient.builder()
            .bootstrapServers(broker.bootstrapServers())
            .property("request.events", "all")
            .build();
    open.add(client);
    assertThat(client.awaitRules(TIMEOUT)).isTrue();
    traffic.scheduleAtFixedRate(
        () -> {
          client.decide(Request.of("user", "<b>greedy</b>"));
          client.decide(Request.of("user", "greedy"));
          client.decide(Request.of("user", "modest/" + System.nanoTime() / 1_000_000_000L % 3));
        },
        0,
        20,
        TimeUnit.MILLISECONDS);
    browser = Browser.open("http://" + enforcer.address() + "/");
    open.add(browser);
  }

  @AfterEach
  void stop() {
    traffic.shutdownNow();
  }

  @Test
  void operator_seesWhatGoesOn_andChangesRules() {
    browser.awaitText("h1", "Sign in");
    long millis = browser.millisToFirstView();
    System.out.printf("first view of the console: %d ms%n", millis);
    assertThat(millis).isLessThan(FIRST_VIEW_MILLIS);
    browser.signIn("not-a-token");
    browser.awaitText("[role=alert].bad", "send a token that http.api.tokens.file knows");
    browser.signIn(OPERATOR);

    browser.awaitText("h1", "Overview");
    browser.awaitText("main", "ready");
    browser.awaitNumber("Admitted a second", number -> number > 0);
    browser.awaitText("main", "posts/per-user/greedy");
    browser.awaitShown(".plot canvas");
    browser.awaitText("main", "Live: pushed by the enforcer");
    browser.awaitNumber("Throttled a second", number -> number > 0);
    assertThat(browser.requests("/api/v1/overview")).isZero();

    browser.follow("Rules");
    browser.awaitText("td", "posts/per-user");
    browser.picture("console-rules");
    browser.follow("posts/per-user");
    browser.awaitText("dl.says", "each value has a limit of its own");
    browser.replaceInFile("permits: 5", "permits: -5");
    browser.awaitText(".problems", "5:");
    assertThat(browser.isEnabled("Publish")).isFalse();
    browser.picture("console-problem");
    browser.replaceInFile("permits: -5", "permits: 9");
    browser.awaitText("pre .added", "permits: 9");
    browser.awaitText("p.good", "Valid");
    browser.scrollTo("textarea");
    browser.picture("console-rule");
    browser.press("Back-test on the last hour");
    browser.awaitText("main", "Quota keys that would be throttled most");
    browser.awaitText("main", "Newly admitted");
    browser.awaitText("td", "posts/per-user/greedy");
    browser.scrollTo("h3");
    browser.picture("console-backtest");
    browser.press("Publish");
    browser.awaitText("main", "version 2");
    browser.press("Only count (shadow)");
    browser.awaitText("main", "version 3");
    browser.awaitText(".mark", "shadow");
    browser.awaitText("table", "olga");
    browser.pressLabelled("Version 1 into the editor");
    browser.awaitText("pre .added", "permits: 5");
    browser.press("Publish");
    browser.awaitText("main", "version 4");
    browser.awaitText("main", "5 per 1s by user");

    browser.follow("Keys");
    browser.fill("prefix", "posts/per-user/gr");
    browser.press("Search");
    browser.awaitText("main", "Quota keys that begin with posts/per-user/gr");
    browser.follow("posts/per-user/greedy");
    browser.awaitText("h1", "posts/per-user/greedy");
    browser.awaitShown(".plot canvas");
    browser.awaitText("main", "Who holds permits of it");
    browser.picture("console-key");

    browser.follow("Instances");
    browser.awaitText("main", "Heard in the last ten minutes");
    browser.follow("Deferred");
    browser.awaitText("main", "No request waits.");

    browser.follow("Topology");
    browser.awaitText("main", "Tasks of ledger");
    browser.awaitText("main", "Tasks of deferral");
    assertThat(browser.count("svg.tasks rect.active")).isEqualTo(3 * PARTITIONS);
    assertThat(browser.count("svg.tasks rect.nobody")).isZero();
    browser.picture("console-topology");

    browser.follow("Overview");
    browser.awaitText("main", "ready");
    browser.picture("console-overview");
    publishTwoRules();
    browser.narrow();
    browser.picture("console-phone");
    browser.press("Sign out");
    browser.awaitText("h1", "Sign in");
    assertThat(browser.complaints()).isEmpty();
  }

  /** Tried out together, and published as one change. */
  private void publishTwoRules() {
    browser.follow("Rules");
    browser.follow("Write a new rule");
    browser.awaitText("h1", "New rule");
    browser.writeFile(PAIR);
    browser.awaitText("main", "These 2 rules are published as one change.");
    browser.press("Back-test on the last hour");
    browser.awaitText("main", "Quota keys that would be throttled most");
    browser.awaitText("td", "posts/of-all");
    browser.press("Publish");
    browser.awaitText("h1", "posts/of-all");
    browser.awaitText("main", "version 1");
  }

  @Test
  void operator_changesWhatWaits_andSeesWhoDidWhat() {
    defer(QuotaKey.parse("posts/later/ann"), "m0", "m1", "m2", "m3");
    browser.signIn(OPERATOR);
    browser.awaitText("h1", "Overview");
    browser.follow("Deferred");
    browser.follow("posts/later");
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              browser.press("Read again");
              return browser.text("main").contains("m3");
            });
    browser.pressLabelled("Release m3");
    browser.awaitText("dialog", "the next of its quota key");
    browser.press("Leave it");
    browser.pressLabelled("Release m3");
    browser.press("Release it");
    browser.awaitText("main", "m3: next");
    browser.pressLabelled("Cancel m1");
    browser.awaitText("dialog", "becomes a dead letter");
    browser.fill("why", "too late");
    browser.picture("console-confirm");
    browser.press("Cancel it");
    browser.awaitText("main", "m1: cancelled");
    browser.press("Cancel all that wait");
    browser.press("Cancel them all");
    browser.awaitText("main", "Cancelled: 2; 0 wait.");

    browser.follow("Dead letters");
    browser.awaitText("main", "purged: by hand");
    browser.fill("reason", "too late");
    browser.press("Find");
    await().atMost(TIMEOUT).until(() -> !browser.text("main").contains("purged: by hand"));
    browser.awaitText("main", "cancelled: too late");
    assertThat(browser.isEnabled("Redrive the chosen")).isFalse();
    browser.tickFirst();
    browser.picture("console-letters");
    browser.press("Redrive the chosen");
    browser.press("Redrive them");
    browser.awaitText("main", "Redriven: 1.");

    penalizeMallory();
    browser.follow("Keys");
    browser.fill("prefix", "posts/guarded/");
    browser.press("Search");
    browser.follow("posts/guarded/mallory");
    browser.awaitText("main", "A penalty refuses it altogether");
    browser.press("Lift the penalty");
    browser.press("Lift it");
    browser.awaitText("main", "posts/guarded/mallory: no penalty");

    browser.follow("Changes");
    browser.awaitText("main", "penalty-lift");
    for (String action :
        List.of("deferred-release", "deferred-cancel", "deferred-purge", "dead-letters-redrive")) {
      assertThat(browser.text("main")).contains(action);
    }
    assertThat(browser.text("main")).contains("olga", "127.0.0.1", "too late", "2 of them");
    browser.picture("console-changes");
    assertThat(browser.complaints()).isEmpty();
  }

  private void defer(QuotaKey key, String... ids) {
    Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
    try (TopicTap tap = new TopicTap(broker.bootstrapServers())) {
      for (String id : ids) {
        tap.write(
            "quota.deferred",
            key.partition(4),
            key.toString().getBytes(StandardCharsets.UTF_8),
            wire.encode(
                new DeferredRequest(
                    id,
                    key,
                    Request.of("mail", key.values().get(0)),
                    Payload.of(new byte[] {1}),
                    Map.of(),
                    Priority.NORMAL,
                    System.currentTimeMillis() + Duration.ofHours(1).toMillis(),
                    System.currentTimeMillis(),
                    ReplyTo.NOBODY)));
      }
    }
  }

  private void penalizeMallory() {
    Request mallory = Request.of("account", "mallory");
    await()
        .atMost(TIMEOUT)
        .until(
            () ->
                client.decide(mallory) instanceof Decision.Throttled throttled
                    && throttled.reason() == ThrottleReason.PENALTY);
  }

  @Test
  void viewer_mayLookOnly_andIsToldThatTheEnforcerIsAway() throws Exception {
    browser.signIn(VIEWER);
    browser.awaitText("#who", "vic, viewer");
    browser.awaitText("main", "greedy");
    // Markup in a key is text.
    assertThat(browser.count("main b")).isZero();
    browser.follow("Rules");
    browser.follow("posts/per-user");
    browser.awaitText("h2", "What it means");
    assertThat(browser.count("main button")).isZero();
    assertThat(browser.count("textarea[readonly]")).isOne();
    browser.follow("Dead letters");
    browser.awaitText("main", "There is no dead letter.");
    assertThat(browser.text("main")).doesNotContain("Redrive");
    browser.follow("Changes");
    browser.awaitText("main", "Nothing was changed yet.");
    assertThat(browser.complaints()).isEmpty();

    browser.follow("Overview");
    browser.awaitText("main", "ready");
    enforcer.close();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(browser.text("#trouble")).contains("does not answer"));
  }
}
