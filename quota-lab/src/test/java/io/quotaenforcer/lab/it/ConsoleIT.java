package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.broker.EmbeddedBroker;
import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.server.access.AccessTokens;
import io.quotaenforcer.server.access.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
@Timeout(240)
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
  private EnforcerJvm enforcer;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    Browser.require();
    EmbeddedBroker broker = EmbeddedBroker.start();
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
    AdmissionClient client =
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
  void operator_seesWhatGoesOn_andChangesARule() {
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
    browser.narrow();
    browser.picture("console-phone");
    browser.press("Sign out");
    browser.awaitText("h1", "Sign in");
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void newRules_areTriedOutTogether_andPublishedAsOneChange() {
    browser.signIn(OPERATOR);
    browser.awaitText("h1", "Overview");
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
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void viewer_mayLookOnly_andMarkupInAKeyIsText() {
    browser.signIn(VIEWER);
    browser.awaitText("#who", "vic, viewer");
    browser.awaitText("main", "greedy");
    assertThat(browser.count("main b")).isZero();
    browser.follow("Rules");
    browser.follow("posts/per-user");
    browser.awaitText("h2", "What it means");
    assertThat(browser.count("main button")).isZero();
    assertThat(browser.count("textarea[readonly]")).isOne();
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void enforcerThatIsAway_isSaid_andTheConsoleGoesOn() throws Exception {
    browser.signIn(VIEWER);
    browser.awaitText("main", "ready");
    enforcer.close();
    await()
        .atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(browser.text("#trouble")).contains("does not answer"));
  }
}
