package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.RULES;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The published rules.
 *
 * @param unreadable why records of the rules topic cannot be read, by their keys
 */
public record RuleFacts(List<Excess> rules, Map<String, String> unreadable) {
  /** An expected excess above a tenth of the limit surprises people. */
  private static final int PARTS = 10;

  /**
   * What a rule may admit over the limit of a quota key.
   *
   * @param expected what clients ask for in one loop when a key is opened
   * @param most in the worst case
   */
  public record Excess(String rule, long limit, long expected, long most) {
    private boolean isLarge() {
      return expected * PARTS > limit;
    }
  }

  public RuleFacts {
    rules = List.copyOf(rules);
    unreadable = Map.copyOf(unreadable);
  }

  /** The diagnosis. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    new TreeMap<>(unreadable)
        .forEach(
            (key, why) ->
                findings.add(
                    Finding.problem(
                        RULES,
                        "%s cannot be read: %s; publish it again with this version, or delete it: quota rules delete %s"
                            .formatted(key, why, key))));
    for (Excess each : rules) {
      if (each.isLarge()) {
        findings.add(
            Finding.warning(
                RULES,
                "%s may admit %d over its limit of %d when a key is opened by clients that ask for just the limit, and %d in the worst case: make it strict, or its period longer (quota rules explain %s)"
                    .formatted(
                        each.rule(), each.expected(), each.limit(), each.most(), each.rule())));
      }
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              RULES,
              rules.isEmpty()
                  ? "none is published: nothing is limited yet (quota rules apply FILE)"
                  : "%d published, none with a large expected excess".formatted(rules.size())));
    }
    return findings;
  }
}
