package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.rules.RuleChange;
import java.util.List;

/** Storage of the published rules and their history. */
public interface RuleStore extends AutoCloseable {

  /** Everything published so far; throws {@link RulesException} if it is unavailable. */
  PublishedRules read();

  /**
   * The versions of rules that are still known; throws {@link RulesException} as {@link #read}
   * does.
   */
  RuleHistory history(PublishedRules published);

  /**
   * Publishes additions, changes and deletions, all or none, and remembers them.
   *
   * @param basis the rules that the changes are based on; throws {@link RulesException} if one of
   *     them was published anew since
   */
  void publish(PublishedRules basis, List<RuleChange> changes, Authorship by);

  @Override
  void close();
}
