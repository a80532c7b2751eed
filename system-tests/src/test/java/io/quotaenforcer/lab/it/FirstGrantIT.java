package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quotaenforcer.cli.QuotaRun;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.process.BrokerJvms;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.process.EnforcerJvm;
import io.quotaenforcer.rules.RuleYaml;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * How soon a strict rule of a new prefix grants for the first time: three brokers that have had no
 * such prefix before, an enforcer and a service, each a process of its own. Prints the seconds;
 * with {@code -Dlong} also those of a machine that is busy.
 */
@Tag("alone")
@Timeout(1200)
class FirstGrantIT {
  private static final String DOMAIN = "shop";
  private static final Rule RULE =
      Rule.of(new RuleId(DOMAIN, "orders"), List.of("user"), new FixedWindow(100, 1_000_000_000L))
          .withEnforcement(Enforcement.STRICT);

  /** Programs that use up a processor each, on a machine of two or so. */
  private static final int BURNERS = 4;

  /**
   * Far more than it takes: 11 s with nothing else to do, half a minute or so beside the burners.
   */
  private static final Duration LONGEST = Duration.ofSeconds(150);

  private static final double NANOS_PER_SECOND = 1e9;

  @TempDir Path folder;

  @AutoClose private final Opened open = new Opened();
  private String servers = "";

  @BeforeEach
  void startBrokers() throws Exception {
    BrokerJvms brokers = BrokerJvms.start(folder.resolve("brokers"));
    open.add(brokers);
    servers = brokers.bootstrapServers();
  }

  @Test
  void strictRule_ofANewPrefix_isGrantedSoonAfterTheEnforcerIsReady() throws Exception {
    firstGrant("calm.", "nothing else to do");
    if (System.getProperty("long") != null) {
      for (int i = 0; i < BURNERS; i++) {
        // It ends with this process, however that ends.
        Process burner =
            new ProcessBuilder("sh", "-c", "while kill -0 $PPID 2>/dev/null; do :; done").start();
        open.add(burner::destroyForcibly);
      }
      firstGrant("busy.", BURNERS + " processors in use");
    }
  }

  private void prepare(String prefix) throws Exception {
    Path rules = Files.createDirectories(folder.resolve(prefix)).resolve("rules.yaml");
    Files.writeString(rules, RuleYaml.file(DOMAIN, List.of(RULE)));
    String server = "--bootstrap-server=" + servers;
    QuotaRun.done("topics", "create", "--prefix=" + prefix, server);
    QuotaRun.done("rules", "apply", rules.toString(), "--prefix=" + prefix, server);
  }

  private void firstGrant(String prefix, String load) throws Exception {
    prepare(prefix);
    Path own = folder.resolve(prefix);
    long start = System.nanoTime();
    ChildJvm launched =
        EnforcerJvm.launch(
            own.resolve("enforcer"),
            servers,
            "topic.prefix=" + prefix,
            "application.id=" + prefix + "enforcer",
            "http.port=0");
    open.add(launched);
    ChildJvm service =
        ChildJvm.start(
            "service",
            own.resolve("service"),
            FirstGrantService.class,
            servers,
            prefix,
            DOMAIN,
            "user",
            "42");
    open.add(service);
    launched.awaitLine("enforcing; http://", LONGEST);
    EnforcerJvm enforcer = EnforcerJvm.of(launched);
    Set<String> answers = new LinkedHashSet<>();
    await("the enforcer to be ready")
        .atMost(LONGEST)
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(
            () -> {
              HttpResponse<String> answer = enforcer.get("/health/ready");
              answers.add(answer.statusCode() + " " + answer.body());
              return answer.statusCode() == 200;
            });
    double ready = seconds(start);
    String granted = service.awaitLine("granted ", LONGEST);
    System.out.printf(
        Locale.ROOT,
        "first grant, %s: enforcer ready %.1f s after its start, first grant %.1f s after it, and %.1f s after the service's start (rules %s ms)%n",
        load,
        ready,
        seconds(start),
        Long.parseLong(granted) / 1e3,
        service.awaitLine("rules ", LONGEST));
    answers.forEach(answer -> System.out.println("first grant: " + answer));
    assertThat(seconds(start)).isLessThan(LONGEST.toSeconds());
    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer)
                    .matches(
                        "503 \\{\"status\":\"starting\",\"reason\":\"(rules not loaded: .*|topology not started yet|waiting for its share .*|restoring \\d+ of \\d+ partitions|takeover: .*|reports of .* wait for a commit .*)\"}|200 .*"));
  }

  private static double seconds(long startNanos) {
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }
}
