package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.rules.RuleChange;
import java.util.List;
import java.util.Optional;

/** Planned changes, not published yet. */
public final class PlannedChanges {
  private final RuleStore store;
  private final PublishedRules basis;
  private final List<RuleChange> changes;
  private final Optional<String> reason;

  /**
   * @param basis the published rules that the changes are based on
   * @param reason the history's text before the author's message
   */
  PlannedChanges(
      RuleStore store, PublishedRules basis, List<RuleChange> changes, Optional<String> reason) {
    this.store = store;
    this.basis = basis;
    this.changes = List.copyOf(changes);
    this.reason = reason;
  }

  /** One for each rule considered, ordered by rule. */
  public List<RuleChange> changes() {
    return changes;
  }

  /** Whether any rule would change. */
  public boolean changesAny() {
    return !changes.stream()
        .allMatch(it -> it instanceof RuleChange.Kept || it instanceof RuleChange.Unchanged);
  }

  /** The published rules that the changes are based on. */
  public PublishedRules basis() {
    return basis;
  }

  /** The history's text before the author's message. */
  public Optional<String> reason() {
    return reason;
  }

  /** Publishes all of them, or throws {@link RulesException} and publishes none. */
  public void publish(Authorship by) {
    store.publish(basis, changes, reason.map(by::because).orElse(by));
  }
}
