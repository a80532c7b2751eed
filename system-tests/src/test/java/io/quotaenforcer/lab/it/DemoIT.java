package io.quotaenforcer.lab.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.command.Main;
import io.quotaenforcer.lab.process.ChildJvm;
import io.quotaenforcer.lab.trace.TraceCheck;
import io.quotaenforcer.lab.trace.TraceCheck.RuleFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code quota demo} as a user runs it, judged by its trace alone. */
@Timeout(270)
class DemoIT {
  private static final Duration RUN_TIMEOUT = Duration.ofSeconds(180);
  private static final int HEAP_MEBIBYTES = 512;

  @TempDir Path folder;

  private final List<ChildJvm> open = new ArrayList<>();

  @AfterEach
  void stopAll() {
    open.forEach(ChildJvm::close);
  }

  @Test
  @Tag("alone")
  void demo_withAllotments_keepsEveryPromiseByItsTraceToo() throws Exception {
    ChildJvm demo = demo("--seconds=10", "--trace=" + trace(), "--json=" + json());

    assertThat(demo.exitCode(RUN_TIMEOUT)).as(demo.toString()).isEqualTo(ExitCode.DONE);
    JsonNode report = new ObjectMapper().readTree(json().toFile());
    System.out.println("demo: " + withoutRules(report));
    assertThat(report.path("grantedOver").longValue()).isZero();
    assertThat(report.path("mislabelled").longValue()).isZero();
    assertThat(report.path("outOfOrder").longValue()).isZero();
    assertThat(report.path("kept").booleanValue()).isTrue();
    boolean isTooSlow = report.path("pace").path("tooSlow").booleanValue();
    if (!isTooSlow) {
      assertWhatASlowMachineMayBreak(report);
    }
    assertThat(report.path("loopMs").path("p50").doubleValue()).isPositive();
    assertThat(report.path("loopMs").path("p99").doubleValue()).isPositive();
    TraceCheck.Result result = TraceCheck.check(trace());
    // A trace does not tell how slow the machine was.
    assertThat(result.kept() || isTooSlow).isTrue();
    assertSame(report, result);
    assertLeavesNothing();
  }

  /** What the demo does not hold against anybody on a machine that it found too slow. */
  private static void assertWhatASlowMachineMayBreak(JsonNode report) {
    assertThat(report.path("overAdmittedStrict").longValue()).isZero();
    assertThat(report.path("overAdmittedBalanced").longValue())
        .isLessThanOrEqualTo(report.path("balancedBound").longValue());
    assertThat(report.path("countedExactly").booleanValue()).isTrue();
    assertThat(report.path("deferred").longValue()).isPositive();
    assertThat(report.path("replayed").longValue() + report.path("expired").longValue())
        .isEqualTo(report.path("deferred").longValue());
    for (String never : List.of("lost", "duplicated")) {
      assertThat(report.path(never).longValue()).as(never).isZero();
    }
    // 0.9 and more on a machine that has nothing else to do.
    assertThat(report.path("utilisationStrict").doubleValue()).isBetween(0.2, 1.0);
  }

  @Test
  void demo_withAPlainDelayedCount_isFarOverAndFails() throws Exception {
    ChildJvm demo =
        demo("--seconds=5", "--policy=delayed-count", "--trace=" + trace(), "--json=" + json());

    assertThat(demo.exitCode(RUN_TIMEOUT)).as(demo.toString()).isEqualTo(ExitCode.FAILED);
    JsonNode report = new ObjectMapper().readTree(json().toFile());
    System.out.println("demo: " + withoutRules(report));
    assertThat(report.path("overAdmittedStrict").longValue()).isGreaterThan(100);
    assertThat(report.path("overAdmittedBalancedTotal").longValue()).isGreaterThan(100);
    assertThat(report.path("grantedOver").longValue())
        .as("of balanced rules too: what a count leaves is taken as a grant")
        .isGreaterThan(report.path("overAdmittedStrict").longValue() + 100);
    assertThat(report.path("kept").booleanValue()).isFalse();
    assertSame(report, TraceCheck.check(trace()));
  }

  @Test
  void demo_interrupted_leavesNoProcessPortOrFolder() throws Exception {
    ChildJvm demo = demo("--seconds=60");
    await()
        .atMost(RUN_TIMEOUT)
        .until(() -> demo.out().stream().anyMatch(line -> line.contains("orders-per-customer")));
    List<Integer> ports = demo.listeningPorts();
    assertThat(ports).isNotEmpty();

    long start = System.nanoTime();
    demo.signal("INT");
    int exitCode = demo.exitCode(Duration.ofSeconds(60));
    System.out.printf("demo: ended %.1f s after SIGINT%n", (System.nanoTime() - start) / 1e9);

    assertThat(exitCode).as(demo.toString()).isEqualTo(128 + 2);
    assertLeavesNothing();
    assertThat(ports).noneMatch(ChildJvm::isListening);
  }

  private ChildJvm demo(String... options) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("demo"));
    arguments.addAll(List.of(options));
    ChildJvm demo =
        ChildJvm.start(
            "demo",
            List.of("-Xmx" + HEAP_MEBIBYTES + "m"),
            temporary(),
            Main.class,
            arguments.toArray(String[]::new));
    open.add(demo);
    return demo;
  }

  /** The report agrees with the trace on the trace's decisions. */
  private static void assertSame(JsonNode report, TraceCheck.Result result) {
    assertThat(report.path("requests").longValue()).isEqualTo(result.requests());
    assertThat(report.path("admitted").longValue()).isEqualTo(result.admitted());
    assertThat(report.path("throttled").longValue())
        .isEqualTo(result.requests() - result.admitted());
    assertThat(report.path("mislabelled").longValue()).isEqualTo(result.mislabelled());
    List<RuleFigures> reported = new ArrayList<>();
    long strictOver = 0;
    long strictAdmitted = 0;
    long strictAllowed = 0;
    for (int i = 0; i < result.perRule().size(); i++) {
      JsonNode rule = report.path("perRule").path(i);
      RuleFigures figures = result.perRule().get(i);
      reported.add(figures(rule));
      assertThat(rule.path("throttled").longValue()).isEqualTo(figures.throttled());
      if (rule.path("enforcement").textValue().equals("strict")) {
        strictOver += figures.over();
        strictAdmitted += figures.admittedPermits();
        strictAllowed += figures.allowedPermits();
      }
    }
    assertThat(reported).isEqualTo(result.perRule());
    assertThat(report.path("perRule")).hasSize(result.perRule().size());
    assertThat(report.path("overAdmittedStrict").longValue()).isEqualTo(strictOver);
    assertThat(report.path("utilisationStrict").doubleValue())
        .isEqualTo((double) strictAdmitted / strictAllowed);
  }

  private static RuleFigures figures(JsonNode rule) {
    return new RuleFigures(
        rule.path("rule").textValue(),
        rule.path("requests").longValue(),
        rule.path("admitted").longValue(),
        rule.path("admittedPermits").longValue(),
        rule.path("allowedPermits").longValue(),
        rule.path("over").longValue(),
        rule.path("worstOver").longValue(),
        rule.path("bound").longValue(),
        rule.path("worstCase").longValue(),
        rule.path("grantedOver").longValue(),
        rule.path("opened").longValue(),
        rule.path("mostOpened").longValue(),
        rule.path("openingAllowed").longValue(),
        rule.path("mislabelled").longValue());
  }

  private static String withoutRules(JsonNode report) {
    return ((ObjectNode) report.deepCopy()).without("perRule").toString();
  }

  private void assertLeavesNothing() throws IOException {
    try (Stream<Path> files = Files.list(temporary())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("quota-"));
    }
  }

  private Path temporary() {
    return folder.resolve("tmp");
  }

  private Path trace() {
    return folder.resolve("trace");
  }

  private Path json() {
    return folder.resolve("demo.json");
  }
}
