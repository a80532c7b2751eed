package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.List;
import java.util.Objects;

/** Published rules in memory. */
public final class MemoryRuleStore implements RuleStore {
  private final MemoryRulesLog log = new MemoryRulesLog();
  private final RulesTopic topic;

  public MemoryRuleStore() {
    this(new YamlCodec());
  }

  private MemoryRuleStore(RuleCodec codec) {
    topic = new RulesTopic(log, codec, log::nowMillis, turn -> {});
  }

  /** With records as Kafka has them, also of rules that are no file alone. */
  public static MemoryRuleStore asOnTheWire() {
    return new MemoryRuleStore(new WireRuleCodec(Wire.of("quota.", Codecs.withoutRegistry())));
  }

  /** A record that cannot be read. */
  public void writeUnreadable(String key) {
    log.write(key, new byte[] {1});
  }

  /** The bytes of what was written beside the rules. */
  public List<byte[]> audit() {
    return log.audit().stream().map(RulesLog.Write::value).map(Objects::requireNonNull).toList();
  }

  /** Lets time go by: it stands still by itself, at one second after 1970 began. */
  public void advance(long millis) {
    log.advance(millis);
  }

  @Override
  public PublishedRules read() {
    return topic.read();
  }

  @Override
  public RuleHistory history(PublishedRules published) {
    return topic.history(published);
  }

  @Override
  public void publish(PublishedRules basis, List<RuleChange> changes, Authorship by) {
    topic.publish(basis, changes, by);
  }

  @Override
  public void close() {}
}
