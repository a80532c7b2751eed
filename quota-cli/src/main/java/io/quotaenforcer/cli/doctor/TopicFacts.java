package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.OFFSETS;
import static io.quotaenforcer.cli.doctor.Finding.Check.TOPICS;

import java.util.ArrayList;
import java.util.List;

/**
 * The checks that an enforcer makes at its start.
 *
 * @param summary what the topics are, where all is well
 * @param errors of the topics, each with its remedy
 * @param warnings of the topics, each with its remedy
 * @param offsets why the enforcers' group must not read on
 */
public record TopicFacts(
    String summary, List<String> errors, List<String> warnings, List<String> offsets) {
  public TopicFacts {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
    offsets = List.copyOf(offsets);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    errors.forEach(error -> findings.add(Finding.problem(TOPICS, error)));
    warnings.forEach(warning -> findings.add(Finding.warning(TOPICS, warning)));
    if (findings.isEmpty()) {
      findings.add(Finding.ok(TOPICS, summary));
    }
    offsets.forEach(complaint -> findings.add(Finding.problem(OFFSETS, complaint)));
    if (offsets.isEmpty()) {
      findings.add(
          Finding.ok(OFFSETS, "the brokers know how far the enforcers have read, or none has yet"));
    }
    return findings;
  }
}
