package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleDiff;
import io.quotaenforcer.rules.RuleFile;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A version of a rule compared with the previous one.
 *
 * @param rule empty if this version deleted it, or cannot be read
 * @param change empty if the previous version is unknown, or one of the two cannot be read
 * @param problem why this version cannot be read
 */
public record VersionChange(
    RuleVersion version,
    Optional<Rule> rule,
    Optional<RuleChange> change,
    Optional<String> problem) {

  static VersionChange between(@Nullable RuleVersion before, RuleVersion version) {
    if (version.isDeletion()) {
      RuleChange deleted = new RuleChange.Deleted(version.id(), Optional.empty());
      return new VersionChange(version, Optional.empty(), Optional.of(deleted), Optional.empty());
    }
    Rule rule;
    try {
      rule = rule(version);
    } catch (RulesException e) {
      return new VersionChange(
          version, Optional.empty(), Optional.empty(), Optional.ofNullable(e.getMessage()));
    }
    return new VersionChange(
        version, Optional.of(rule), change(before, version, rule), Optional.empty());
  }

  /**
   * The rule of a version.
   *
   * @throws RulesException if this program cannot read it
   */
  static Rule rule(RuleVersion version) {
    String name = version.id() + " version " + version.version();
    RuleFile file = RuleFile.parse(name, version.yaml().orElse(""));
    if (file instanceof RuleFile.Valid valid
        && valid.rules().size() == 1
        && valid.rules().get(0).id().equals(version.id())) {
      return valid.rules().get(0).withVersion(version.version(), version.version());
    }
    String why =
        file instanceof RuleFile.Invalid invalid
            ? invalid.problems().get(0).toString()
            : "must hold just this rule";
    throw new RulesException(name + " cannot be read by this program: " + why);
  }

  private static Optional<RuleChange> change(
      @Nullable RuleVersion before, RuleVersion version, Rule rule) {
    if (version.added() || (before != null && before.isDeletion())) {
      return Optional.of(new RuleChange.Added(rule));
    }
    if (before == null) {
      return Optional.empty();
    }
    Rule old;
    try {
      old = rule(before);
    } catch (RulesException e) {
      return Optional.empty();
    }
    return RuleDiff.between(List.of(old), List.of(rule), false, id -> rule.version()).stream()
        .findFirst();
  }
}
