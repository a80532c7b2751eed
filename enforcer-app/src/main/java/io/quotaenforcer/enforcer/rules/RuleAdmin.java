package io.quotaenforcer.enforcer.rules;

import static java.util.stream.Collectors.toSet;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleDiff;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.Words;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Operations on published rules. */
public final class RuleAdmin {
  private final RuleStore store;

  public RuleAdmin(RuleStore store) {
    this.store = store;
  }

  /**
   * Replaces the published rules of the file's domain by those of the file.
   *
   * @param prune whether published rules that are not in the file are deleted
   * @return publishes the changes
   */
  public PlannedChanges apply(RuleFile.Valid file, boolean prune) {
    PublishedRules published = store.read();
    Map<String, String> unreadable = published.unreadableIn(file.domain());
    for (Rule rule : file.rules()) {
      String reason = unreadable.get(rule.id().toString());
      if (reason != null) {
        throw PublishedRules.unreadable(rule.id(), reason);
      }
    }
    List<RuleChange> changes =
        new ArrayList<>(
            RuleDiff.between(
                published.ofDomain(file.domain()),
                file.rules(),
                prune,
                store.history(published)::nextVersion));
    if (prune) {
      unreadable.keySet().stream()
          .flatMap(key -> id(key).stream())
          .forEach(id -> changes.add(new RuleChange.Deleted(id, Optional.empty())));
    }
    return new PlannedChanges(store, published, changes, Optional.empty());
  }

  /**
   * Other domains with a rule of the same id as one of the file, if the file's domain has no rules
   * yet: it may have been renamed.
   */
  public static List<String> formerDomains(RuleFile.Valid file, PublishedRules published) {
    if (!published.ofDomain(file.domain()).isEmpty()) {
      return List.of();
    }
    Set<String> ids = file.rules().stream().map(rule -> rule.id().id()).collect(toSet());
    return published.rules().keySet().stream()
        .filter(id -> ids.contains(id.id()))
        .map(RuleId::domain)
        .distinct()
        .toList();
  }

  /** Published rules, of one domain or of all. */
  public PublishedRules list() {
    return store.read();
  }

  /** A published rule; throws {@link RulesException} if there is none. */
  public Rule get(RuleId id) {
    PublishedRules published = store.read();
    Optional<Rule> rule = published.rule(id);
    return rule.orElseThrow(() -> missing(id, published));
  }

  /** Deletes a published rule, or a record under its name that cannot be read. */
  public void delete(RuleId id, Authorship by) {
    PublishedRules published = store.read();
    Optional<Rule> rule = published.rule(id);
    if (rule.isEmpty() && !published.unreadable().containsKey(id.toString())) {
      throw missing(id, published);
    }
    store.publish(published, List.of(new RuleChange.Deleted(id, rule)), by);
  }

  /** The known versions of all rules. */
  public RuleHistory history() {
    return store.history(store.read());
  }

  /** Restores a rule to one of its versions, even if it is deleted. */
  public PlannedChanges rollback(RuleId id, long version) {
    RuleRollback rollback = rollback();
    return new PlannedChanges(
        store,
        rollback.published(),
        rollback.toVersion(id, version),
        Optional.of("back to version " + version));
  }

  /** Restores the rules of a domain to a moment. */
  public PlannedChanges rollback(String domain, Instant moment) {
    RuleRollback rollback = rollback();
    return new PlannedChanges(
        store,
        rollback.published(),
        rollback.toMoment(domain, moment),
        Optional.of("back to " + moment.truncatedTo(ChronoUnit.MILLIS)));
  }

  private static Optional<RuleId> id(String key) {
    try {
      return Optional.of(RuleId.parse(key));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private RuleRollback rollback() {
    PublishedRules published = store.read();
    return new RuleRollback(published, store.history(published));
  }

  private static RulesException missing(RuleId id, PublishedRules published) {
    String reason = published.unreadable().get(id.toString());
    if (reason != null) {
      return new RulesException(id + " cannot be read: " + reason);
    }
    List<String> known = published.rules().keySet().stream().map(RuleId::toString).toList();
    String hint = Words.didYouMean(id.toString(), known, "; quota rules list shows what there is");
    return new RulesException("no rule " + id + " is published" + hint);
  }
}
