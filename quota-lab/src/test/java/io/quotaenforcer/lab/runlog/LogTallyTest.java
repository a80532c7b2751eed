package io.quotaenforcer.lab.runlog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotaenforcer.cli.log.LogLine;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.Judgement;
import io.quotaenforcer.lab.verdict.Judgement.Finding;
import io.quotaenforcer.lab.verdict.RunPace;
import io.quotaenforcer.lab.verdict.Verdict;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LogTallyTest {
  private static final Rule RULE =
      Rule.of(
          new RuleId("web", "per-host"), List.of("host"), new SlidingWindow(30, 60_000_000_000L));

  private static final List<String> UNMATCHED = List.of("web/other matched none");

  private final LogTally tally = new LogTally();

  @Test
  void report_everyKindOfLine_sumsUpToTheLines() throws IOException {
    tally.decided(new Decision.Admitted(by("a"), List.of(by("a"))), true);
    tally.decided(new Decision.Throttled(by("b")), true);
    tally.decided(new Decision.Throttled(by("b")), true);
    tally.decided(new Decision.Unmatched(), true);
    tally.unparsed(new LogLine.Unparsed(17, "is empty"));

    LogReport report = report();
    JsonNode json = new ObjectMapper().readTree(report.toJson());

    assertThat(json.get("lines").asLong()).isEqualTo(5);
    assertThat(json.get("unparsed").asLong()).isEqualTo(1);
    assertThat(json.get("admitted").asLong()).isEqualTo(1);
    assertThat(json.get("throttled").asLong()).isEqualTo(2);
    assertThat(json.get("unmatched").asLong()).isEqualTo(1);
    assertThat(json.get("turnedAway").asLong()).isEqualTo(2);
    assertThat(json.get("turnedAwayPct").asDouble()).isEqualTo(200 / 3.0);
    assertThat(json.get("loopLogSeconds").asDouble()).isEqualTo(30.0);
    assertThat(json.get("perRule").get(0).get("rule").asText()).isEqualTo("web/per-host");
    assertThat(json.get("topClients").get(0).get("quotaKey").asText()).isEqualTo("web/per-host/b");
    assertThat(json.get("unparsedLines").get(0).get("lineNumber").asLong()).isEqualTo(17);
    assertThat(LogText.report(report))
        .contains("lines 5: admitted 1, throttled 2, matched no rule 1, unparsed 1")
        .contains("line 17: is empty")
        .contains("of these turned away 2 (66.67 %)")
        .contains("30/60s")
        .contains("PROMISES KEPT");
  }

  @Test
  void report_promiseBroken_saysWhich() {
    tally.decided(new Decision.Throttled(by("b")), true);

    LogReport report =
        report(new Judgement(List.of(new Finding(Optional.of(RULE.id()), "web is over", true))));

    assertThat(report.kept()).isFalse();
    assertThat(report.perRule().get(0).kept()).isFalse();
    assertThat(LogText.report(report)).endsWith("PROMISES BROKEN: web is over\n");
  }

  @Test
  void report_noLineMatched_isNeitherKeptNorBroken() {
    tally.decided(new Decision.Unmatched(), true);

    LogReport report = report();

    assertThat(report.judged()).isFalse();
    assertThat(report.kept()).isFalse();
    assertThat(LogText.report(report))
        .endsWith("note: web/other matched none\nNOTHING JUDGED: no rule matched any line\n")
        .doesNotContain("PROMISES");
  }

  @Test
  void unparsedLines_many_areCountedAndTheFirstTenShown() {
    for (int i = 1; i <= 100; i++) {
      tally.unparsed(new LogLine.Unparsed(i, "is empty"));
    }

    assertThat(report().unparsed()).isEqualTo(100);
    assertThat(report().unparsedLines()).hasSize(10);
  }

  @Test
  void topClients_moreKeysThanFit_keepTheBusiest() {
    TopClients clients = new TopClients();
    for (int i = 0; i < 3 * TopClients.MAX_KEYS; i++) {
      clients.count("rare-" + i, true);
      if (i % 1000 == 0) {
        clients.count("busy", false);
      }
    }

    assertThat(clients.busiest(1)).containsExactly(new LogReport.Client("busy", 600, 0, 600));
  }

  private LogReport report() {
    return report(new Judgement(List.of()));
  }

  private LogReport report(Judgement judgement) {
    Verdict verdict = new Verdict(List.of(RULE), VerdictTerms.of(4, 64));
    return tally.report(
        new LogOutcome(
            verdict.perRule(),
            600,
            30,
            45,
            true,
            new RunPace(0, 0, 600),
            judgement,
            UNMATCHED,
            Map.of(RULE.id(), 2L),
            2));
  }

  private static RuleDecision by(String host) {
    QuotaKey key = QuotaKey.of(RULE.id(), List.of(host));
    return RuleDecision.builder(key, RULE.limit(), 0)
        .remaining(1)
        .resetNanos(1)
        .known(true)
        .build();
  }
}
