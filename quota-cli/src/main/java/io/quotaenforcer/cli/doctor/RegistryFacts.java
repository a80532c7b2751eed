package io.quotaenforcer.cli.doctor;

import static io.quotaenforcer.cli.doctor.Finding.Check.REGISTRY;

import java.util.ArrayList;
import java.util.List;

/** What a schema registry has of the schemas that this program writes. */
public sealed interface RegistryFacts {
  /** None is configured. */
  record None() implements RegistryFacts {}

  /** It does not answer. */
  record Away(String why) implements RegistryFacts {}

  /**
   * It answers.
   *
   * @param registers whether a program that finds its schema missing registers it
   * @param registered number of subjects that have the schema
   * @param absent subjects that do not have it yet
   * @param incompatible subjects whose other versions forbid it
   * @param refused why it does not say
   */
  record Answered(
      String location,
      boolean registers,
      int registered,
      List<String> absent,
      List<String> incompatible,
      List<String> refused)
      implements RegistryFacts {
    public Answered {
      absent = List.copyOf(absent);
      incompatible = List.copyOf(incompatible);
      refused = List.copyOf(refused);
    }
  }

  /** The diagnosis. */
  default List<Finding> findings() {
    if (this instanceof None) {
      return List.of(
          Finding.ok(REGISTRY, "none is configured: records name their schemas themselves"));
    }
    if (this instanceof Away away) {
      return List.of(
          Finding.problem(
              REGISTRY,
              away.why()
                  + "; start it, or correct schema.registry.url: enforcers and clients that start"
                  + " wait for it"));
    }
    return answered((Answered) this);
  }

  private static List<Finding> answered(Answered facts) {
    List<Finding> findings = new ArrayList<>();
    facts.refused().forEach(why -> findings.add(Finding.problem(REGISTRY, why)));
    for (String subject : facts.incompatible()) {
      findings.add(
          Finding.problem(
              REGISTRY,
              "%s, subject %s: this version's schema is incompatible with what is registered; another program uses the subject, or its compatibility is stricter than BACKWARD: give the subject to this program, or set its compatibility"
                  .formatted(facts.location(), subject)));
    }
    if (!facts.registers() && !facts.absent().isEmpty()) {
      findings.add(
          Finding.problem(
              REGISTRY,
              "%s does not have this version's schema of %s, and auto.register.schemas=false: register the files in schemas/published of this version, as enforcers do not start without"
                  .formatted(facts.location(), String.join(", ", facts.absent()))));
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              REGISTRY,
              "%s answers, and has %d of %d schemas of this version%s"
                  .formatted(
                      facts.location(),
                      facts.registered(),
                      facts.registered() + facts.absent().size(),
                      facts.absent().isEmpty()
                          ? ""
                          : "; whoever writes first registers the others")));
    }
    return findings;
  }
}
