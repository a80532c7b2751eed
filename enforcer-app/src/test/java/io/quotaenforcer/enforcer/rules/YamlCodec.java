package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.message.AuditRecord;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleFiles;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Rules as bytes that a person can read: version, generation and a rule file. */
final class YamlCodec implements RuleCodec {

  private final WireRuleCodec versions =
      new WireRuleCodec(Wire.of("quota.", Codecs.withoutRegistry()));

  /** A rule of whenever. */
  byte[] encode(Rule rule) {
    return encode(rule, 0);
  }

  @Override
  public byte[] encode(Rule rule, long atMillis) {
    String yaml = RuleYaml.file(rule.id().domain(), List.of(rule));
    return (rule.version() + " " + rule.generation() + "\n" + yaml)
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public Rule decode(byte[] record) {
    String[] parts = new String(record, StandardCharsets.UTF_8).split("\n", 2);
    if (parts.length < 2) {
      throw new IllegalArgumentException("must be a rule");
    }
    String[] versions = parts[0].split(" ", 2);
    return RuleFiles.rule(parts[1])
        .withVersion(Long.parseLong(versions[0]), Long.parseLong(versions[1]));
  }

  @Override
  public Map<String, byte[]> announcements() {
    return Map.of();
  }

  @Override
  public boolean isAnnouncement(String key) {
    return key.startsWith("#schema/");
  }

  @Override
  public void learn(String key, byte[] announcement) {}

  @Override
  public boolean isRule(String key) {
    return !key.equals("_prefix");
  }

  @Override
  public byte[] encode(RuleVersion version) {
    return versions.encode(version);
  }

  @Override
  public byte[] encode(AuditRecord audit) {
    return versions.encode(audit);
  }

  @Override
  public RuleVersion decodeVersion(byte[] record) {
    return versions.decodeVersion(record);
  }
}
