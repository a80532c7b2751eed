package io.quotaenforcer.enforcer.rules;

import java.util.List;

/** Where the published rules are kept. */
public interface RuleStore extends AutoCloseable {

  /** Everything published so far; throws {@link RulesException} when it cannot be had. */
  PublishedRules read();

  /**
   * Publishes additions, changes and deletions.
   *
   * @param basis what the changes were worked out from; throws {@link RulesException} when one of
   *     their rules was published anew since
   */
  void publish(PublishedRules basis, List<RuleChange> changes);

  @Override
  void close();
}
