package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleFiles;
import io.quotaenforcer.rules.RuleYaml;
import io.quotaenforcer.schemas.codec.Codecs;
import io.quotaenforcer.schemas.topic.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RulesTopicTest {
  private static final Rule RULE = RuleFiles.rule(RuleFiles.withLines()).withVersion(1, 1);
  private static final Rule OTHERS = RULE.withVersion(3, 3);
  private static final Rule ANOTHER =
      Rule.of(new RuleId("posts", "another"), RULE.key().names(), RULE.limit()).withVersion(1, 1);
  private static final Authorship BY = new Authorship("ann", Optional.empty());
  private static final String KEY = "posts/per-user";

  private final YamlCodec codec = new YamlCodec();
  private final MemoryRulesLog log = new MemoryRulesLog();
  private final RulesTopic topic = new RulesTopic(log, codec, log::nowMillis, turn -> {});

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
    topic.publish(topic.read(), List.of(new Added(RULE)), BY);
    assertThat(topic.read().rule(RULE.id())).contains(RULE);
    topic.publish(topic.read(), List.of(new Deleted(RULE.id(), Optional.of(RULE))), BY);
    assertThat(topic.read().rules()).isEmpty();
  }

  @Test
  void publish_schemasThatNobodyAnnounced_announcesThemOnceBeforeTheRules() {
    WireRuleCodec wired = new WireRuleCodec(Wire.of("quota.", Codecs.withoutRegistry()));
    RulesTopic announcing = new RulesTopic(log, wired, log::nowMillis, turn -> {});
    Set<String> schemas = wired.announcements().keySet();
    assertThat(announcing.read().versionAboveAll()).isEqualTo(1);

    announcing.publish(announcing.read(), List.of(new Added(RULE)), BY);
    announcing.publish(announcing.read(), List.of(new Added(ANOTHER)), BY);

    List<String> keys = log.readFrom(0).entries().stream().map(RulesLog.Entry::key).toList();
    assertThat(keys.subList(0, schemas.size())).containsExactlyInAnyOrderElementsOf(schemas);
    assertThat(keys.subList(schemas.size(), keys.size())).containsExactly(KEY, "posts/another");
    PublishedRules published = announcing.read();
    assertThat(published.rules()).containsOnlyKeys(RULE.id(), ANOTHER.id());
    assertThat(published.unreadable()).isEmpty();
    assertThat(published.versionAboveAll()).isEqualTo(3);
  }

  @Test
  void read_schemaThatIsNone_saysWhy() {
    WireRuleCodec wired = new WireRuleCodec(Wire.of("quota.", Codecs.withoutRegistry()));
    log.write("#schema/QuotaRule/0", new byte[] {1});

    PublishedRules published = new RulesTopic(log, wired, log::nowMillis, turn -> {}).read();

    assertThat(published.unreadable()).containsOnlyKeys("#schema/QuotaRule/0");
  }

  @Test
  void publish_nothingToDo_writesNothing() {
    topic.publish(
        topic.read(), List.of(new RuleChange.Unchanged(RULE), new RuleChange.Kept(RULE)), BY);
    assertThat(topic.read().endOffset()).isZero();
  }

  @Test
  void publish_ruleChangedSinceItWasRead_writesNothing() {
    PublishedRules basis = topic.read();
    log.write(KEY, codec.encode(RULE.withVersion(9, 1)));
    assertThatThrownBy(() -> topic.publish(basis, List.of(new Added(RULE)), BY))
        .isInstanceOf(RulesException.class)
        .hasMessage(
            "nothing was published: changed by someone else since it was read: posts/per-user; look"
                + " at the rules again and repeat");
    assertThat(topic.read().rule(RULE.id())).contains(RULE.withVersion(9, 1));
  }

  /** Its number would be that of the rule that is gone. */
  @Test
  void publish_ruleThatSomeoneAddedAndDeletedSince_writesNothing() {
    PublishedRules basis = topic.read();
    addAndDelete(another());
    log.compact();
    assertThatThrownBy(() -> topic.publish(basis, List.of(new Added(RULE)), BY))
        .isInstanceOf(RulesException.class)
        .hasMessageStartingWith(
            "nothing was published: changed by someone else since it was read: posts/per-user;");
    assertThat(topic.read().rules()).isEmpty();
  }

  @Test
  void publish_ruleThatSomeoneAddsAndDeletesMeanwhile_writesNothing() {
    PublishedRules basis = topic.read();
    log.beforeNextAppend(
        () -> {
          addAndDelete(another());
          log.compact();
        });
    assertThatThrownBy(() -> topic.publish(basis, List.of(new Added(RULE)), BY))
        .isInstanceOf(RulesException.class)
        .hasMessageStartingWith(
            "nothing was published: changed by someone else since it was read: posts/per-user;");
    assertThat(topic.read().rules()).isEmpty();
  }

  private static void addAndDelete(RulesTopic by) {
    by.publish(by.read(), List.of(new Added(RULE)), BY);
    by.publish(by.read(), List.of(new Deleted(RULE.id(), Optional.of(RULE))), BY);
  }

  @Test
  void publish_anotherRuleChangedSince_succeeds() {
    PublishedRules basis = topic.read();
    log.write("posts/other", null);
    topic.publish(basis, List.of(new Added(RULE)), BY);
    assertThat(topic.read().rule(RULE.id())).contains(RULE);
  }

  @Test
  void publish_overtakenByAWriterOfTheSameRule_writesNothing() {
    RulesTopic other = another();
    PublishedRules basis = topic.read();
    log.beforeNextAppend(() -> other.publish(basis, List.of(new Added(OTHERS)), BY));
    assertThatThrownBy(() -> topic.publish(basis, List.of(new Added(RULE)), BY))
        .isInstanceOf(RulesException.class)
        .hasMessageStartingWith("nothing was published: changed by someone else");
    assertThat(topic.read().rule(RULE.id())).contains(OTHERS);
    assertThat(versions()).hasSize(1);
  }

  @Test
  void publish_overtakenByAWriterOfAnotherRule_isRepeated() {
    RulesTopic other = another();
    PublishedRules basis = topic.read();
    log.beforeNextAppend(() -> other.publish(basis, List.of(new Added(ANOTHER)), BY));
    topic.publish(basis, List.of(new Added(RULE)), BY);
    assertThat(topic.read().rules()).hasSize(2);
  }

  @Test
  void publish_overtakenOnceAllWasWritten_isDone() {
    RulesTopic other = another();
    log.afterNextAppend(() -> other.publish(other.read(), List.of(new Added(ANOTHER)), BY));
    topic.publish(topic.read(), List.of(new Added(RULE)), BY);
    assertThat(topic.read().rules()).hasSize(2);
    assertThat(versions()).hasSize(1);
  }

  @Test
  void publish_overtakenOnceAllWasWrittenAndReplaced_isDone() {
    RulesTopic other = another();
    log.afterNextAppend(
        () ->
            other.publish(
                other.read(), List.of(new Deleted(RULE.id(), other.read().rule(RULE.id()))), BY));
    topic.publish(topic.read(), List.of(new Added(RULE)), BY);
    assertThat(topic.read().rules()).isEmpty();
    assertThat(versions()).hasSize(2);
  }

  @Test
  void publish_overtakenAtEveryTurn_givesUpAndSaysSo() {
    int[] turns = {0};
    RulesTopic unlucky =
        new RulesTopic(log, codec, log::nowMillis, turn -> overtakeNextTurn(turns));
    overtakeNextTurn(turns);
    assertThatThrownBy(() -> unlucky.publish(unlucky.read(), List.of(new Added(RULE)), BY))
        .isInstanceOf(RulesException.class)
        .hasMessage(
            "nothing was published: someone else was publishing at each of 12 attempts; repeat it"
                + " later");
    assertThat(turns[0]).isEqualTo(12);
    assertThat(topic.read().rules()).isEmpty();
  }

  @Test
  void publish_overtakenAtEveryTurnButDoneAtTheLast_isDone() {
    int[] turns = {0};
    RulesTopic lucky =
        new RulesTopic(
            log,
            codec,
            log::nowMillis,
            turn -> {
              if (turn < 11) {
                overtakeNextTurn(turns);
              } else {
                log.afterNextAppend(() -> log.another().takeTurn());
              }
            });
    overtakeNextTurn(turns);
    lucky.publish(lucky.read(), List.of(new Added(RULE)), BY);
    assertThat(turns[0]).isEqualTo(11);
    assertThat(versions()).hasSize(1);
  }

  private void overtakeNextTurn(int[] turns) {
    log.beforeNextAppend(
        () -> {
          turns[0]++;
          log.another().takeTurn();
        });
  }

  @Test
  void history_ofChanges_hasWhoWhenAndWhatItWas() {
    topic.publish(topic.read(), List.of(new Added(RULE)), BY);
    log.advance(5);
    topic.publish(
        topic.read(),
        List.of(new Deleted(RULE.id(), Optional.of(RULE))),
        new Authorship("bob", Optional.of("gone")));
    assertThat(versions())
        .containsExactly(
            new RuleVersion(
                RULE.id(),
                1,
                true,
                Optional.of(RuleYaml.file("posts", List.of(RULE))),
                1_000,
                Optional.of("ann"),
                Optional.empty()),
            new RuleVersion(
                RULE.id(),
                2,
                false,
                Optional.empty(),
                1_005,
                Optional.of("bob"),
                Optional.of("gone")));
  }

  @Test
  void history_ofARuleFromBeforeThereWasAny_isTheRuleInForce() {
    log.write(KEY, codec.encode(RULE.withVersion(4, 2)));
    assertThat(versions())
        .extracting(RuleVersion::version, RuleVersion::author, RuleVersion::added)
        .containsExactly(tuple(4L, Optional.empty(), false));
  }

  /** So one can go back a step, however long the version before has been in force. */
  @Test
  void history_onceARuleWithoutRecordIsChanged_hasTheVersionBeforeToo() {
    log.write(KEY, codec.encode(RULE.withVersion(4, 2)));
    change(RULE.withVersion(4, 2));
    log.compact();
    assertThat(versions()).extracting(RuleVersion::version).containsExactly(4L, 5L);
    log.expireHistory(2);
    assertThat(versions()).extracting(RuleVersion::version).containsExactly(5L);
    change(topic.read().rule(RULE.id()).orElseThrow());
    assertThat(versions()).extracting(RuleVersion::version).containsExactly(5L, 6L);
    change(topic.read().rule(RULE.id()).orElseThrow());
    assertThat(versions()).extracting(RuleVersion::version).containsExactly(5L, 6L, 7L);
  }

  @Test
  void history_versionThatWasLongInForce_isKeptForAsLongAsTheOneThatReplacesIt() {
    topic.publish(topic.read(), List.of(new Added(RULE)), BY);
    log.advance(Duration.ofDays(300).toMillis());
    change(RULE);
    log.expireHistory(1);
    log.compact();
    assertThat(versions())
        .extracting(RuleVersion::version, RuleVersion::added, RuleVersion::atMillis)
        .containsExactly(tuple(1L, true, 1_000L), tuple(2L, false, log.nowMillis()));
  }

  @Test
  void history_recordThatCannotBeRead_isNamedAndLeftOut() {
    topic.publish(topic.read(), List.of(new Added(RULE)), BY);
    log.writeHistory(KEY, new byte[] {1});
    assertThat(versions()).hasSize(1);
    assertThat(topic.history(topic.read()).unreadable())
        .singleElement()
        .asString()
        .startsWith("posts/per-user at offset 1: ");
  }

  private void change(Rule before) {
    Rule after = before.withVersion(before.version() + 1, before.generation());
    topic.publish(topic.read(), List.of(new RuleChange.Changed(before, after, List.of())), BY);
  }

  private List<RuleVersion> versions() {
    return topic.history(topic.read()).versions(RULE.id());
  }

  private RulesTopic another() {
    return new RulesTopic(log.another(), codec, log::nowMillis, turn -> {});
  }

  @Test
  void unreadableIn_domain_isOfThatDomainOnly() {
    log.write("posts/a", new byte[] {1});
    log.write("posts2/a", new byte[] {1});
    assertThat(topic.read().unreadableIn("posts")).containsOnlyKeys("posts/a");
    assertThat(topic.read().rule(new RuleId("posts", "a"))).isEmpty();
  }
}
