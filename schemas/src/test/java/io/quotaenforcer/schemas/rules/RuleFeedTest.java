package io.quotaenforcer.schemas.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.QuotaRule;
import io.quotaenforcer.schemas.codec.CodecException;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.codec.SchemaRegistry;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class RuleFeedTest {
  private static final String KEY = "posts/per-user";
  private static final Rule OLD = rule(1, 5);
  private static final Rule NEW = rule(2, 9);

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private final RuleFeed feed = new RuleFeed("posts"::equals);
  private long offset;

  @Test
  void rule_ofTheDomain_isInForce() {
    assertThat(apply(KEY, wire.encode(OLD, 0))).isEmpty();

    assertThat(feed.takeChange()).map(RuleSet::rules).contains(List.of(OLD));
    assertThat(feed.isComplete()).isTrue();
    assertThat(feed.takeChange()).isEmpty();
  }

  @Test
  void ruleOfANewerVersion_anotherWasRead_leavesThatInForce() {
    apply(KEY, wire.encode(OLD, 0));

    Optional<UnreadRule> unread = apply(KEY, NewerVersion.encode(NEW, wire));

    assertThat(unread).hasValueSatisfying(it -> assertThat(it.hasVersionBefore()).isTrue());
    assertThat(feed.rules().rules()).containsExactly(OLD);
    assertThat(feed.isComplete()).isTrue();
    assertThat(feed.unreadable().get(KEY).why()).contains("upgrade this process first");
  }

  @Test
  void ruleOfANewerVersion_noneWasRead_isMissing() {
    Optional<UnreadRule> unread = apply(KEY, NewerVersion.encode(NEW, wire));

    assertThat(unread).hasValueSatisfying(it -> assertThat(it.hasVersionBefore()).isFalse());
    assertThat(feed.takeChange()).map(RuleSet::rules).contains(List.of());
    assertThat(feed.isComplete()).isFalse();
  }

  @Test
  void ruleOfANewerVersion_wasReadInAnEarlierRun_isInForceAsThen() {
    RuleFeed later = new RuleFeed("posts"::equals, RuleSet.of(List.of(OLD)));

    later.apply(record(KEY, NewerVersion.encode(NEW, wire)), wire);

    assertThat(later.rules().rules()).containsExactly(OLD);
    assertThat(later.isComplete()).isTrue();
  }

  @Test
  void ruleOfTheEarlierRun_goneSince_isNotInForce() {
    RuleFeed later = new RuleFeed("posts"::equals, RuleSet.of(List.of(OLD)));

    later.apply(record("posts/other", wire.encode(OLD, 0)), wire);
    later.apply(record(KEY, null), wire);

    assertThat(later.rules().rule(OLD.id())).isEmpty();
  }

  @Test
  void ruleOfANewerVersion_ofAnotherDomain_isNoMatter() {
    apply("mails/per-user", NewerVersion.encode(NEW, wire));

    assertThat(feed.unreadable()).isEmpty();
    assertThat(feed.isComplete()).isTrue();
  }

  @Test
  void ruleOfANewerVersion_seenAgain_isToldOnce() {
    byte[] value = NewerVersion.encode(NEW, wire);

    assertThat(apply(KEY, value)).isPresent();
    assertThat(apply(KEY, value)).isEmpty();
  }

  @Test
  void ruleOfANewerVersion_announcedLater_comesIntoForce() {
    apply(KEY, NewerVersion.encode(NEW, wire));
    feed.takeChange();

    apply(NewerVersion.announcementKey(), NewerVersion.announcement());

    assertThat(feed.takeChange()).map(RuleSet::rules).contains(List.of(NEW));
    assertThat(feed.isComplete()).isTrue();
    assertThat(feed.unreadable()).isEmpty();
  }

  @Test
  void ruleOfANewerVersion_announcedBefore_isInForce() {
    apply(NewerVersion.announcementKey(), NewerVersion.announcement());

    apply(KEY, NewerVersion.encode(NEW, wire));

    assertThat(feed.rules().rules()).containsExactly(NEW);
  }

  @Test
  void ruleOfANewerVersion_deletedOrWrittenAnew_isNotMissing() {
    apply(KEY, NewerVersion.encode(NEW, wire));

    apply(KEY, null);
    assertThat(feed.isComplete()).isTrue();

    apply(KEY, NewerVersion.encode(NEW, wire));
    apply(KEY, wire.encode(NEW, 0));
    assertThat(feed.isComplete()).isTrue();
    assertThat(feed.rules().rules()).containsExactly(NEW);
  }

  @Test
  void rule_registryAway_isReadOnceItAnswers() {
    RegistryOfOne registry = new RegistryOfOne();
    Wire registered = Wire.of("quota.", Codecs.with(registry));
    byte[] value = registered.encode(OLD, 0);
    Wire reading = Wire.of("quota.", Codecs.with(registry));
    registry.away = true;
    feed.apply(record(KEY, value), reading);
    assertThat(feed.isComplete()).isFalse();

    registry.away = false;
    // A registry that was away is left alone for a while.
    feed.retry(Wire.of("quota.", Codecs.with(registry)));

    assertThat(feed.rules().rules()).containsExactly(OLD);
    assertThat(feed.isComplete()).isTrue();
  }

  @Test
  void rule_underTheKeyOfAnother_isNotInForce() {
    Optional<UnreadRule> unread = apply("posts/other", wire.encode(OLD, 0));

    assertThat(unread).map(UnreadRule::why).contains("must be the key of its record: id=" + KEY);
    assertThat(feed.rules().rules()).isEmpty();
    assertThat(feed.isComplete()).isFalse();

    apply("posts/other", null);
    assertThat(feed.isComplete()).isTrue();
  }

  @Test
  void rule_underTheKeyOfAnother_leavesBothAsTheyWere() {
    RuleId other = RuleId.parse("posts/other");
    Rule ofOther = Rule.of(other, List.of(), new FixedWindow(7, 1_000_000_000L)).withVersion(1, 1);
    apply(KEY, wire.encode(OLD, 0));
    apply("posts/other", wire.encode(ofOther, 0));

    apply("posts/other", wire.encode(NEW, 0));

    assertThat(feed.rules().rules()).containsExactlyInAnyOrder(OLD, ofOther);
    assertThat(feed.isComplete()).isTrue();
  }

  @Test
  void rule_underAKeyOfAnotherDomain_isNoMatter() {
    apply("mails/per-user", wire.encode(OLD, 0));

    assertThat(feed.rules().rules()).isEmpty();
    assertThat(feed.isComplete()).isTrue();
  }

  @Test
  void keyOfNoRule_isRefused() {
    assertThatThrownBy(() -> apply("no rule", new byte[] {1})).isInstanceOf(CodecException.class);
    assertThat(feed.isComplete()).isTrue();
  }

  @Test
  void prefixOfANewerVersion_keepsWhatWasKnown() {
    PrefixInfo info = new PrefixInfo(16, 1, 100);
    apply(Topics.PREFIX_KEY, wire.encode(info, 0));

    apply(Topics.PREFIX_KEY, new byte[] {1});

    assertThat(feed.prefix()).contains(info);
    assertThat(feed.unreadable()).containsOnlyKeys(Topics.PREFIX_KEY);
    assertThat(feed.isComplete()).isTrue();
  }

  @Test
  void schemas_allAnnounced_areSo() {
    assertThat(feed.announces(wire)).isFalse();

    wire.announcements().forEach(this::apply);

    assertThat(feed.announces(wire)).isTrue();
  }

  private Optional<UnreadRule> apply(String key, byte[] value) {
    return feed.apply(record(key, value), wire);
  }

  private ConsumerRecord<byte[], byte[]> record(String key, byte[] value) {
    return new ConsumerRecord<>(
        "quota.rules", 0, offset++, key.getBytes(StandardCharsets.UTF_8), value);
  }

  private static Rule rule(int version, long permits) {
    return Rule.of(RuleId.parse(KEY), List.of("user"), new FixedWindow(permits, 1_000_000_000L))
        .withVersion(version, 1);
  }

  /** Knows one schema, and can be away. */
  private static final class RegistryOfOne implements SchemaRegistry {
    private String known;
    private boolean away;

    @Override
    public int idOf(String subject, String schema) {
      known = QuotaRule.TYPE.shape().text();
      return 1;
    }

    @Override
    public String schemaOf(int id) {
      if (away) {
        throw new CodecException(CodecException.Reason.REGISTRY_UNAVAILABLE, "away");
      }
      return known;
    }

    @Override
    public boolean accepts(String subject, String schema) {
      return true;
    }

    @Override
    public String location() {
      return "here";
    }

    @Override
    public void close() {}
  }
}
