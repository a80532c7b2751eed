package io.quotaenforcer.enforcer.rules;

import java.util.List;
import java.util.Optional;

/** Changes that were worked out, and are not published yet. */
public final class PlannedChanges {
  private final RuleStore store;
  private final PublishedRules basis;
  private final List<RuleChange> changes;
  private final Optional<String> reason;

  /**
   * @param basis what the changes were worked out from
   * @param reason what the history says before the author's message
   */
  PlannedChanges(
      RuleStore store, PublishedRules basis, List<RuleChange> changes, Optional<String> reason) {
    this.store = store;
    this.basis = basis;
    this.changes = List.copyOf(changes);
    this.reason = reason;
  }

  /** One for each rule that was looked at, ordered by rule. */
  public List<RuleChange> changes() {
    return changes;
  }

  /** Whether any rule would be another than it is. */
  public boolean changesAny() {
    return !changes.stream()
        .allMatch(it -> it instanceof RuleChange.Kept || it instanceof RuleChange.Unchanged);
  }

  /** What the changes were worked out from. */
  public PublishedRules basis() {
    return basis;
  }

  /** What the history will say of them before the author's message. */
  public Optional<String> reason() {
    return reason;
  }

  /** Publishes all of them, or throws {@link RulesException} and publishes none. */
  public void publish(Authorship by) {
    store.publish(basis, changes, reason.map(by::because).orElse(by));
  }
}
