package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Level.OK;
import static io.quotaenforcer.cli.doctor.Finding.Level.PROBLEM;
import static io.quotaenforcer.cli.doctor.Finding.Level.WARNING;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.cli.doctor.EnforcerFacts.State;
import io.quotaenforcer.cli.doctor.Finding.Check;
import io.quotaenforcer.cli.doctor.Finding.Level;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FleetTest {
  private static final String VERSION = "0.1.0";
  private static final String BUILD = "quota_build_info{kafka=\"4.3.1\",version=\"%s\"} 1.0\n";

  @Test
  void groupWithoutMembers_isAProblem_andSilenceNoSecondOne() {
    List<Finding> findings = fleet(group(0, 0), silent()).findings();

    assertThat(findings).hasSize(1);
    expect(findings, PROBLEM, Check.ENFORCERS, "no enforcer runs: group g", "quota enforcer");
  }

  @Test
  void partitions_thatNobodyHas_areAProblem() {
    expect(
        fleet(group(2, 12)).findings(),
        PROBLEM,
        Check.ENFORCERS,
        "4 of 16 partitions have no enforcer",
        "restart one");
  }

  @Test
  void enforcers_thatHaveAll_withCopies_areWell() {
    List<Finding> findings =
        fleet(group(2, 16), answers("http://a", 3), answers("http://b", 0)).findings();

    assertThat(findings).extracting(Finding::level).containsOnly(OK);
    expect(findings, OK, Check.ENFORCERS, "2 enforcer(s) in group g have all 16 partitions");
    expect(findings, OK, Check.STANDBY, "3 standby tasks");
    expect(findings, OK, Check.ENFORCERS, "http://a, http://b: of this program's version, 0.1.0");
  }

  @Test
  void oneEnforcer_orNoCopies_isAWarning() {
    expect(fleet(group(1, 16)).findings(), WARNING, Check.STANDBY, "only one enforcer", "run two");
    expect(
        fleet(group(2, 16), answers("http://a", 0), answers("http://b", 0)).findings(),
        WARNING,
        Check.STANDBY,
        "num.standby.replicas=1");
    assertThat(fleet(group(2, 16), answers("http://a", 0), silent()).findings())
        .noneMatch(finding -> finding.check() == Check.STANDBY);
  }

  @Test
  void enforcer_thatDoesNotAnswer_isAWarning() {
    expect(
        fleet(group(1, 16), silent()).findings(),
        WARNING,
        Check.ENFORCERS,
        "http://c: nobody there",
        "--enforcer");
  }

  @Test
  void enforcer_thatIsNotReady_isAProblemWithItsReason() {
    EnforcerFacts starting =
        new EnforcerFacts(
            "http://a",
            new State.Answers(Optional.of("restoring 3 of 16 partitions"), metrics("")));

    expect(
        fleet(group(1, 16), starting).findings(),
        PROBLEM,
        Check.ENFORCERS,
        "http://a is not ready: restoring 3 of 16",
        "running.md");
  }

  @Test
  void enforcer_ofAnotherVersion_isAWarning() {
    EnforcerFacts other =
        new EnforcerFacts(
            "http://b", new State.Answers(Optional.empty(), metrics(BUILD.formatted("9.9"))));

    expect(
        fleet(group(2, 16), answers("http://a", 1), other).findings(),
        WARNING,
        Check.ENFORCERS,
        "http://b is of version 9.9, and this program of 0.1.0",
        "upgrade all enforcers");
  }

  @Test
  void enforcer_whoseClockIsOff_isAProblem() {
    expect(
        fleet(group(1, 16), with("quota_clock_ahead_seconds -0.2\n")).findings(),
        PROBLEM,
        Check.CLOCK,
        "http://a is 0.200 s behind the brokers'",
        "NTP");
    assertThat(fleet(group(1, 16), with("quota_clock_ahead_seconds 0.05\n")).findings())
        .noneMatch(finding -> finding.check() == Check.CLOCK);
    assertThat(fleet(group(1, 16), with("quota_clock_ahead_seconds NaN\n")).findings())
        .noneMatch(finding -> finding.check() == Check.CLOCK);
  }

  @Test
  void enforcer_thatCannotReadARule_isAProblem() {
    expect(
        fleet(group(1, 16), with("quota_rules_unreadable 2.0\n")).findings(),
        PROBLEM,
        Check.RULES,
        "http://a cannot read 2 rule(s)",
        "upgrade it");
  }

  private static Fleet fleet(Fleet.Group group, EnforcerFacts... enforcers) {
    return new Fleet(Optional.of(group), List.of(enforcers), VERSION, 0.2);
  }

  private static Fleet.Group group(int processes, int assigned) {
    return new Fleet.Group("g", processes, 16, assigned);
  }

  private static EnforcerFacts silent() {
    return new EnforcerFacts("http://c", new State.Silent("nobody there"));
  }

  private static EnforcerFacts answers(String address, int standby) {
    return new EnforcerFacts(
        address,
        new State.Answers(
            Optional.empty(),
            metrics(
                BUILD.formatted(VERSION)
                    + "quota_tasks{kind=\"active\"} 8.0\n"
                    + "quota_tasks{kind=\"standby\"} "
                    + standby
                    + "\n")));
  }

  private static EnforcerFacts with(String metrics) {
    return new EnforcerFacts("http://a", new State.Answers(Optional.empty(), metrics(metrics)));
  }

  private static PrometheusText metrics(String text) {
    return PrometheusText.parse(text);
  }

  private static void expect(List<Finding> findings, Level level, Check check, String... words) {
    assertThat(findings)
        .anySatisfy(
            finding -> {
              assertThat(finding.level()).isEqualTo(level);
              assertThat(finding.check()).isEqualTo(check);
              assertThat(finding.text()).contains(words);
            });
  }
}
