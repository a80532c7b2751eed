package io.quotaenforcer.enforcer.rules;

import java.util.List;

/** Where the published rules and their history are kept. */
public interface RuleStore extends AutoCloseable {

  /** Everything published so far; throws {@link RulesException} when it cannot be had. */
  PublishedRules read();

  /** The versions of rules that are still known; throws {@link RulesException} likewise. */
  RuleHistory history(PublishedRules published);

  /**
   * Publishes additions, changes and deletions, all or none, and remembers them.
   *
   * @param basis what the changes were worked out from; throws {@link RulesException} when one of
   *     their rules was published anew since
   */
  void publish(PublishedRules basis, List<RuleChange> changes, Authorship by);

  @Override
  void close();
}
