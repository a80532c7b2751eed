package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.core.rule.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people do with published rules. */
public final class RuleAdmin {
  private final RuleStore store;

  public RuleAdmin(RuleStore store) {
    this.store = store;
  }

  /**
   * Makes the published rules of the file's domain those of the file.
   *
   * @param prune whether published rules that the file does not have are deleted
   * @param dryRun whether to stop before anything is published
   * @return what changed, or would
   */
  public List<RuleChange> apply(RuleFile.Valid file, boolean prune, boolean dryRun) {
    PublishedRules published = store.read();
    Map<String, String> unreadable = published.unreadableIn(file.domain());
    for (Rule rule : file.rules()) {
      String reason = unreadable.get(rule.id().toString());
      if (reason != null) {
        throw new RulesException(
            rule.id()
                + " is published as a record that cannot be read ("
                + reason
                + "); delete it first: quota rules delete "
                + rule.id());
      }
    }
    List<RuleChange> changes =
        RuleDiff.between(
            published.ofDomain(file.domain()), file.rules(), prune, published.firstVersion());
    if (!dryRun) {
      store.publish(published, changes);
    }
    return changes;
  }

  /** Published rules, of one domain or of all. */
  public PublishedRules list() {
    return store.read();
  }

  /** A published rule; throws {@link RulesException} when there is none. */
  public Rule get(RuleId id) {
    PublishedRules published = store.read();
    Optional<Rule> rule = published.rule(id);
    return rule.orElseThrow(() -> missing(id, published));
  }

  /** Deletes a published rule, or a record under its name that cannot be read. */
  public void delete(RuleId id) {
    PublishedRules published = store.read();
    Optional<Rule> rule = published.rule(id);
    if (rule.isEmpty() && !published.unreadable().containsKey(id.toString())) {
      throw missing(id, published);
    }
    store.publish(published, List.of(new RuleChange.Deleted(id, rule)));
  }

  private static RulesException missing(RuleId id, PublishedRules published) {
    String reason = published.unreadable().get(id.toString());
    if (reason != null) {
      return new RulesException(id + " cannot be read: " + reason);
    }
    List<String> known = published.rules().keySet().stream().map(RuleId::toString).toList();
    String hint =
        Suggestions.nearest(id.toString(), known)
            .map(near -> "; did you mean " + near + "?")
            .orElse("; quota rules list shows what there is");
    return new RulesException("no rule " + id + " is published" + hint);
  }
}
