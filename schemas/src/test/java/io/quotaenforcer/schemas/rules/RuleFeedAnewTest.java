package io.quotaenforcer.schemas.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Topics;
import io.quotaenforcer.schemas.topic.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** The rules topic is read from its beginning again, after a reader was cut off for long. */
class RuleFeedAnewTest {
  private static final String KEY = "posts/per-user";
  private static final Rule OLD = rule(KEY, 1, 5);
  private static final Rule NEW = rule(KEY, 2, 9);
  private static final Rule OTHER = rule("posts/other", 1, 7);

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());
  private long epochMillis = 1_700_000_000_000L;
  private final RuleFeed feed = new RuleFeed("posts"::equals, RuleSet.empty(), () -> epochMillis);
  private long offset;

  private static Rule rule(String key, int version, long permits) {
    return Rule.of(RuleId.parse(key), List.of("user"), new FixedWindow(permits, 1_000_000_000L))
        .withVersion(version, 1);
  }

  private Optional<UnreadRule> apply(String key, byte[] value) {
    return feed.apply(
        new ConsumerRecord<>(
            "quota.rules", 0, offset++, key.getBytes(StandardCharsets.UTF_8), value),
        wire);
  }

  @Test
  void topicReadAnew_dropsAtItsEndWhatItDoesNotHold_andNothingBefore() {
    apply(KEY, wire.encode(OLD, 0));
    apply("posts/other", wire.encode(OTHER, 0));
    feed.takeChange();

    feed.readAnew();
    apply(KEY, wire.encode(OLD, 0));
    assertThat(feed.takeChange()).as("until the end").isEmpty();
    assertThat(feed.rules().rules()).containsExactlyInAnyOrder(OLD, OTHER);

    feed.atEnd();
    assertThat(feed.takeChange()).map(RuleSet::rules).contains(List.of(OLD));
  }

  /** A topic that is not compacted yet holds what was in force long ago, too. */
  @Test
  void topicReadAnew_bringsBackNeitherAnOlderVersion_norARuleThatIsDeleted() {
    apply(KEY, wire.encode(NEW, 0));
    feed.takeChange();

    feed.readAnew();
    apply(KEY, wire.encode(OLD, 0));
    apply("posts/other", wire.encode(OTHER, 0));
    assertThat(feed.takeChange()).isEmpty();
    apply(KEY, wire.encode(NEW, 0));
    apply("posts/other", null);
    feed.atEnd();

    assertThat(feed.takeChange()).as("the same as before").isEmpty();
    assertThat(feed.rules().rules()).containsExactly(NEW);
  }

  @Test
  void topicReadAnew_isReadFromTheBeginning_howeverOftenItIsBegun() {
    apply(KEY, wire.encode(OLD, 0));
    feed.readAnew();
    apply("posts/other", wire.encode(OTHER, 0));
    feed.readAnew();
    apply(KEY, wire.encode(NEW, 0));
    feed.atEnd();
    feed.atEnd();

    assertThat(feed.rules().rules()).containsExactly(NEW);
  }

  @Test
  void ruleOfANewerVersion_whenTheTopicIsReadAnew_staysAsItWas_andIsToldOnce() {
    byte[] value = NewerVersion.encode(NEW, wire);
    apply(KEY, wire.encode(OLD, 0));
    assertThat(apply(KEY, value)).isPresent();
    feed.takeChange();

    feed.readAnew();
    assertThat(apply(KEY, value)).as("told before").isEmpty();
    feed.atEnd();

    assertThat(feed.rules().rules()).containsExactly(OLD);
    assertThat(feed.isComplete()).isTrue();
    assertThat(feed.takeChange()).isEmpty();
    apply(NewerVersion.announcementKey(), NewerVersion.announcement());
    assertThat(feed.takeChange()).map(RuleSet::rules).contains(List.of(NEW));
  }

  @Test
  void ruleOfANewerVersion_goneWhenTheTopicIsReadAnew_isNotMissingAnyMore() {
    apply(KEY, NewerVersion.encode(NEW, wire));
    feed.takeChange();

    feed.readAnew();
    feed.atEnd();

    assertThat(feed.isComplete()).isTrue();
    assertThat(feed.takeChange()).map(RuleSet::rules).contains(List.of());
  }

  @Test
  void prefix_isKnown_alsoWhileTheTopicIsReadAnew() {
    PrefixInfo info = new PrefixInfo(16, 1, 100);
    apply(Topics.PREFIX_KEY, wire.encode(info, 0));

    feed.readAnew();
    assertThat(feed.prefix()).contains(info);
    feed.atEnd();
    assertThat(feed.prefix()).contains(info);
  }

  @Test
  void reader_thatWasBehindForLongerThanAnHour_mayMissDeletions_untilItReadsAnew() {
    assertThat(feed.mayMissDeletions(false)).isFalse();
    epochMillis += RuleFeed.MOST_BEHIND.toMillis();
    assertThat(feed.mayMissDeletions(true)).isFalse();
    epochMillis += RuleFeed.MOST_BEHIND.toMillis();
    assertThat(feed.mayMissDeletions(false)).isFalse();
    epochMillis++;
    assertThat(feed.mayMissDeletions(true)).isTrue();
    assertThat(feed.mayMissDeletions(true)).as("it has not read anew").isTrue();

    feed.readAnew();

    assertThat(feed.mayMissDeletions(false)).isFalse();
  }
}
