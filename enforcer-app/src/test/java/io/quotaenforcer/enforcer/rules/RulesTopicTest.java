package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.rules.RuleChange.Added;
import io.quotaenforcer.enforcer.rules.RuleChange.Deleted;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RulesTopicTest {
  private static final Rule RULE = RuleFiles.rule(RuleFiles.withLines()).withVersion(1, 1);
  private static final String KEY = "posts/per-user";

  private final YamlCodec codec = new YamlCodec();
  private final MemoryRulesLog log = new MemoryRulesLog();
  private final RulesTopic topic = new RulesTopic(log, codec);

  @Test
  void read_empty_hasNoRules() {
    PublishedRules published = topic.read();
    assertThat(published.rules()).isEmpty();
    assertThat(published.endOffset()).isZero();
  }

  @Test
  void read_severalRecordsOfARule_takesTheLast() {
    log.write(KEY, codec.encode(RULE));
    log.write(KEY, codec.encode(RULE.withVersion(2, 1)));
    assertThat(topic.read().rule(RULE.id())).contains(RULE.withVersion(2, 1));
    log.write(KEY, null);
    assertThat(topic.read().rules()).isEmpty();
  }

  @Test
  void read_whatIsNoRule_isLeftOut() {
    log.write("_prefix", new byte[] {1});
    assertThat(topic.read().rules()).isEmpty();
    assertThat(topic.read().unreadable()).isEmpty();
  }

  @Test
  void read_unreadableRecord_saysWhyUntilItIsReplaced() {
    log.write(KEY, new byte[] {1, 2});
    log.write("no rule id", new byte[] {1});
    log.write("posts/other", codec.encode(RULE));
    assertThat(topic.read().unreadable())
        .containsEntry(KEY, "must be a rule")
        .containsEntry("no rule id", "must be domain/rule-id: rule=no rule id")
        .containsEntry("posts/other", "must be the key of its record: id=posts/per-user");
    log.write(KEY, codec.encode(RULE));
    assertThat(topic.read().unreadable()).doesNotContainKey(KEY);
    assertThat(topic.read().rule(RULE.id())).contains(RULE);
  }

  @Test
  void publish_changes_canBeReadBack() {
    topic.publish(topic.read(), List.of(new Added(RULE)));
    assertThat(topic.read().rule(RULE.id())).contains(RULE);
    topic.publish(topic.read(), List.of(new Deleted(RULE.id(), Optional.of(RULE))));
    assertThat(topic.read().rules()).isEmpty();
  }

  @Test
  void publish_nothingToDo_writesNothing() {
    topic.publish(topic.read(), List.of(new RuleChange.Unchanged(RULE), new RuleChange.Kept(RULE)));
    assertThat(topic.read().endOffset()).isZero();
  }

  @Test
  void publish_ruleChangedSinceItWasRead_writesNothing() {
    PublishedRules basis = topic.read();
    log.write(KEY, codec.encode(RULE.withVersion(9, 1)));
    assertThatThrownBy(() -> topic.publish(basis, List.of(new Added(RULE))))
        .isInstanceOf(RulesException.class)
        .hasMessage(
            "nothing was published: changed by someone else since it was read: posts/per-user; look"
                + " at the rules again and repeat");
    assertThat(topic.read().rule(RULE.id())).contains(RULE.withVersion(9, 1));
  }

  @Test
  void publish_anotherRuleChangedSince_succeeds() {
    PublishedRules basis = topic.read();
    log.write("posts/other", null);
    topic.publish(basis, List.of(new Added(RULE)));
    assertThat(topic.read().rule(RULE.id())).contains(RULE);
  }

  @Test
  void publish_someoneElseWritesBetweenLookAndWrite_isReported() {
    log.beforeNextAppend(() -> log.write(KEY, codec.encode(RULE.withVersion(9, 1))));
    assertThatThrownBy(() -> topic.publish(topic.read(), List.of(new Added(RULE))))
        .isInstanceOf(RulesException.class)
        .hasMessage(
            "published, but someone else published at the same time: posts/per-user; the later"
                + " record is in force: look at the rules again and repeat if need be");
  }

  @Test
  void publish_someoneElseWritesRightAfter_isReported() {
    log.afterNextAppend(() -> log.write(KEY, null));
    assertThatThrownBy(() -> topic.publish(topic.read(), List.of(new Added(RULE))))
        .hasMessageStartingWith("published, but someone else published at the same time");
    assertThat(topic.read().rules()).isEmpty();
  }

  /** Two writers of one rule, in every order of their looks and writes: one of them is told. */
  @Test
  void publish_twoWritersAtOnce_atLeastOneIsTold() {
    for (boolean otherFirst : List.of(true, false)) {
      MemoryRulesLog shared = new MemoryRulesLog();
      RulesTopic first = new RulesTopic(shared, codec);
      RulesTopic second = new RulesTopic(shared, codec);
      PublishedRules basis = second.read();
      boolean[] secondTold = new boolean[1];
      Runnable other =
          () -> {
            try {
              second.publish(basis, List.of(new Added(RULE)));
            } catch (RulesException e) {
              secondTold[0] = true;
            }
          };
      if (otherFirst) {
        shared.beforeNextAppend(other);
      } else {
        shared.afterNextAppend(other);
      }
      boolean firstTold = false;
      try {
        first.publish(basis, List.of(new Added(RULE)));
      } catch (RulesException e) {
        firstTold = true;
      }
      assertThat(firstTold || secondTold[0]).isTrue();
    }
  }

  @Test
  void unreadableIn_domain_isOfThatDomainOnly() {
    log.write("posts/a", new byte[] {1});
    log.write("posts2/a", new byte[] {1});
    assertThat(topic.read().unreadableIn("posts")).containsOnlyKeys("posts/a");
    assertThat(topic.read().rule(new RuleId("posts", "a"))).isEmpty();
  }
}
