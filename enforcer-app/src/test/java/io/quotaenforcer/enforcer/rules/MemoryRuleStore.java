package io.quotaenforcer.enforcer.rules;

import java.util.List;

/** Published rules in memory. */
public final class MemoryRuleStore implements RuleStore {
  private final MemoryRulesLog log = new MemoryRulesLog();
  private final RulesTopic topic = new RulesTopic(log, new YamlCodec());

  /** A record that cannot be read. */
  public void writeUnreadable(String key) {
    log.write(key, new byte[] {1});
  }

  @Override
  public PublishedRules read() {
    return topic.read();
  }

  @Override
  public void publish(PublishedRules basis, List<RuleChange> changes) {
    topic.publish(basis, changes);
  }

  @Override
  public void close() {}
}
