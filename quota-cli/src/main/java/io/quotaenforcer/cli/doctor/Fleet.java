package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.CLOCK;
import static io.quotaenforcer.cli.doctor.Finding.Check.ENFORCERS;
import static io.quotaenforcer.cli.doctor.Finding.Check.RULES;
import static io.quotaenforcer.cli.doctor.Finding.Check.STANDBY;

import io.quotaenforcer.cli.doctor.EnforcerFacts.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All enforcers of a prefix.
 *
 * @param group of the enforcers, which is their application.id; empty if Kafka was not asked
 * @param enforcers those that are known by address
 * @param version of this program
 * @param maxClockSkewSeconds by which the clocks of enforcers may differ
 */
public record Fleet(
    Optional<Group> group,
    List<EnforcerFacts> enforcers,
    String version,
    double maxClockSkewSeconds) {
  /**
   * The group as the brokers see it.
   *
   * @param name its application.id
   * @param processes number of enforcers in it
   * @param partitions of quota.usage
   * @param assigned those that a member has
   */
  public record Group(String name, int processes, int partitions, int assigned) {}

  public Fleet {
    enforcers = List.copyOf(enforcers);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    group.ifPresent(facts -> group(facts, findings));
    for (EnforcerFacts each : enforcers) {
      each(each, findings);
    }
    versions(findings);
    return findings;
  }

  private void group(Group facts, List<Finding> findings) {
    if (facts.processes() == 0) {
      findings.add(
          Finding.problem(
              ENFORCERS,
              "no enforcer runs: group %s has no members, and nothing is granted; start one: quota enforcer --config FILE (or, if some run under another application.id, name it in --config)"
                  .formatted(facts.name())));
      return;
    }
    int missing = facts.partitions() - facts.assigned();
    if (missing > 0) {
      findings.add(
          Finding.problem(
              ENFORCERS,
              "%d of %d partitions have no enforcer: partitions move, for some seconds; if that lasts, look into the logs of the enforcers, and restart one whose /health/live answers 503"
                  .formatted(missing, facts.partitions())));
    } else {
      findings.add(
          Finding.ok(
              ENFORCERS,
              "%d enforcer(s) in group %s have all %d partitions"
                  .formatted(facts.processes(), facts.name(), facts.partitions())));
    }
    standby(facts, findings);
  }

  private void standby(Group facts, List<Finding> findings) {
    if (facts.processes() == 1) {
      findings.add(
          Finding.warning(
              STANDBY,
              "only one enforcer runs: after a crash nothing is granted until another one has"
                  + " started and restored its stores; run two, with num.standby.replicas=1"));
      return;
    }
    long known = enforcers.stream().filter(each -> each.metrics().isPresent()).count();
    OptionalDouble copies =
        enforcers.stream()
            .flatMap(each -> each.metrics().stream())
            .map(metrics -> metrics.sum("quota_tasks", "kind", "standby"))
            .flatMapToDouble(OptionalDouble::stream)
            .reduce(Double::sum);
    if (copies.isPresent() && copies.getAsDouble() > 0) {
      findings.add(
          Finding.ok(
              STANDBY,
              "stores have copies at other enforcers (%d standby tasks)"
                  .formatted((long) copies.getAsDouble())));
    } else if (copies.isPresent() && known >= facts.processes()) {
      findings.add(
          Finding.warning(
              STANDBY,
              "no enforcer keeps a copy of another's stores: whoever takes over restores them"
                  + " first; set num.standby.replicas=1"));
    }
  }

  private void each(EnforcerFacts enforcer, List<Finding> findings) {
    if (enforcer.state() instanceof State.Silent silent) {
      boolean runs = group.map(facts -> facts.processes() > 0).orElse(true);
      if (runs) {
        findings.add(
            Finding.warning(
                ENFORCERS,
                "%s: %s; its version, health and clock are not known: name an enforcer that can be reached from here with --enforcer (http.host is 127.0.0.1 unless it is set)"
                    .formatted(enforcer.address(), silent.why())));
      }
      return;
    }
    State.Answers answers = (State.Answers) enforcer.state();
    answers
        .notReady()
        .ifPresent(
            why ->
                findings.add(
                    Finding.problem(
                        ENFORCERS,
                        "%s is not ready: %s; what each reason means is in running.md, under what an enforcer is not ready for"
                            .formatted(enforcer.address(), why))));
    PrometheusText metrics = answers.metrics();
    OptionalDouble ahead = metrics.sum("quota_clock_ahead_seconds");
    if (ahead.isPresent() && Math.abs(ahead.getAsDouble()) > maxClockSkewSeconds / 2) {
      findings.add(
          Finding.problem(
              CLOCK,
              "the clock of %s is %s the brokers', and may differ by half of max.clock.skew: it grants nothing; set that host's clock by NTP"
                  .formatted(enforcer.address(), apart(ahead.getAsDouble()))));
    }
    OptionalDouble unreadable = metrics.sum("quota_rules_unreadable");
    if (unreadable.isPresent() && unreadable.getAsDouble() > 0) {
      findings.add(
          Finding.problem(
              RULES,
              "%s cannot read %d rule(s): it is older than who wrote them, or their schema registry is away; upgrade it, or run quota topics create of the newer version"
                  .formatted(enforcer.address(), (long) unreadable.getAsDouble())));
    }
  }

  private void versions(List<Finding> findings) {
    Set<String> seen = new TreeSet<>();
    enforcers.forEach(each -> each.version().ifPresent(seen::add));
    for (EnforcerFacts each : enforcers) {
      each.version()
          .filter(other -> !other.equals(version))
          .ifPresent(
              other ->
                  findings.add(
                      Finding.warning(
                          ENFORCERS,
                          "%s is of version %s, and this program of %s: upgrade all enforcers to one version soon, since there is no way back for their stores; and use the commands of that version"
                              .formatted(each.address(), other, version))));
    }
    if (seen.equals(Set.of(version))) {
      findings.add(
          Finding.ok(
              ENFORCERS,
              enforcers.stream()
                      .filter(each -> each.version().isPresent())
                      .map(EnforcerFacts::address)
                      .collect(Collectors.joining(", "))
                  + ": of this program's version, "
                  + version));
    }
  }

  private static String apart(double aheadSeconds) {
    return String.format(
        Locale.ROOT, "%.3f s %s", Math.abs(aheadSeconds), aheadSeconds > 0 ? "ahead of" : "behind");
  }
}
