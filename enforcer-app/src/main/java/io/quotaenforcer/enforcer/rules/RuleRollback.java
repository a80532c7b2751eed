package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleDiff;
import io.quotaenforcer.rules.Words;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Plans the restoration of rules: a new version with the content of an old one. */
record RuleRollback(PublishedRules published, RuleHistory history) {
  private static final int VERSIONS_SHOWN = 10;

  /**
   * Restores one rule to one of its versions; throws {@link RulesException} if that is impossible.
   */
  List<RuleChange> toVersion(RuleId id, long version) {
    checkReadable(id);
    if (history.versions(id).isEmpty()) {
      throw new RulesException(
          "no version of a rule " + id + " is known" + hint(id.toString(), RuleId::toString));
    }
    RuleVersion old = history.version(id, version).orElseThrow(() -> noSuchVersion(id, version));
    if (old.isDeletion()) {
      throw new RulesException(
          "version %d of %s is its deletion; to delete it again: quota rules delete %s"
              .formatted(version, id, id));
    }
    return RuleDiff.between(
        published.rule(id).stream().toList(),
        List.of(VersionChange.rule(old)),
        false,
        history::nextVersion);
  }

  /**
   * Restores all rules of a domain to a moment; later additions are deleted.
   *
   * @throws RulesException if that is not known of all of them
   */
  List<RuleChange> toMoment(String domain, Instant moment) {
    List<RuleId> rules = history.rules().stream().filter(id -> id.domain().equals(domain)).toList();
    if (rules.isEmpty()) {
      throw new RulesException(
          "no rule of a domain " + domain + " is known" + hint(domain, RuleId::domain));
    }
    List<Rule> wanted = new ArrayList<>();
    for (RuleId id : rules) {
      checkReadable(id);
      at(id, moment.toEpochMilli()).ifPresent(wanted::add);
    }
    return RuleDiff.between(published.ofDomain(domain), wanted, true, history::nextVersion);
  }

  private Optional<Rule> at(RuleId id, long atMillis) {
    List<RuleVersion> versions = history.versions(id);
    Optional<RuleVersion> last =
        versions.stream().filter(it -> it.atMillis() <= atMillis).reduce((a, b) -> b);
    if (last.isPresent()) {
      return last.filter(it -> !it.isDeletion()).map(VersionChange::rule);
    }
    RuleVersion first = versions.get(0);
    if (!first.added()) {
      throw new RulesException(
          "what %s was then is not known: its history begins with version %d, published %s; quota rules history %s shows it"
              .formatted(id, first.version(), Instant.ofEpochMilli(first.atMillis()), id));
    }
    return Optional.empty();
  }

  private void checkReadable(RuleId id) {
    String reason = published.unreadable().get(id.toString());
    if (reason != null) {
      throw PublishedRules.unreadable(id, reason);
    }
  }

  private RulesException noSuchVersion(RuleId id, long version) {
    List<RuleVersion> known = history.versions(id);
    String shown =
        known.stream()
            .skip(Math.max(0, known.size() - VERSIONS_SHOWN))
            .map(it -> Long.toString(it.version()))
            .collect(Collectors.joining(", "));
    String cut = known.size() > VERSIONS_SHOWN ? "..., " : "";
    String expired =
        version < known.get(0).version()
            ? "; what is older than these has expired, or never was"
            : "";
    return new RulesException(
        "no version %d of %s is known, but %s%s%s".formatted(version, id, cut, shown, expired));
  }

  private String hint(String name, Function<RuleId, String> known) {
    return Words.didYouMean(
        name,
        history.rules().stream().map(known).distinct().toList(),
        "; quota rules history shows what there is");
  }
}
