package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFiles;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleAdminTest {
  private static final String TWO_RULES =
      """
      domain: posts
      rules:
        - {id: a, limit: {permits: 1, per: 1s}}
        - {id: b, limit: {permits: 2, per: 1s}}
      """;
  private static final String ONE_CHANGED =
      """
      domain: posts
      rules:
        - {id: a, limit: {permits: 9, per: 1s}}
      """;

  private static final Authorship BY = new Authorship("ann", Optional.empty());

  private final MemoryRulesLog log = new MemoryRulesLog();
  private final RuleAdmin admin =
      new RuleAdmin(new RulesTopic(log, new YamlCodec(), log::nowMillis, turn -> {}));

  @Test
  void apply_newFile_publishesVersionOne() {
    apply(TWO_RULES);
    assertThat(admin.list().rules().values())
        .extracting(Rule::version, Rule::generation)
        .hasSize(2)
        .containsOnly(tuple(1L, 1L));
  }

  @Test
  void apply_ruleAfterManyOthers_beginsAtVersionOne() {
    apply(TWO_RULES);
    apply(ONE_CHANGED);
    admin.delete(new RuleId("posts", "b"), BY);
    apply("domain: reads\nrules: [{id: x, limit: {permits: 1, per: 1s}}]\n");
    Rule rule = admin.get(new RuleId("reads", "x"));
    assertThat(rule.version()).isEqualTo(1);
    assertThat(rule.generation()).isEqualTo(1);
  }

  /** Earlier versions of this program began at the offset of the record. */
  @Test
  void apply_ruleThatBeganAtAnOffset_goesOnFromItsVersion() {
    RuleId id = new RuleId("posts", "a");
    log.write("posts/a", new YamlCodec().encode(RuleFiles.rule(ONE_CHANGED).withVersion(5, 5)));
    apply(ONE_CHANGED.replace("9", "8"));
    assertThat(admin.get(id).version()).isEqualTo(6);
    assertThat(admin.get(id).generation()).isEqualTo(5);
    assertThat(admin.rollback(id, 5).changes()).hasSize(1);
  }

  /** The history of a rule may hold a version that this program cannot read. */
  @Test
  void apply_ruleWithAVersionThatCannotBeRead_beginsAboveWhatItCanHaveBeen() {
    apply(TWO_RULES);
    log.writeHistory("posts/c", new byte[] {1});
    apply("domain: posts\nrules: [{id: c, limit: {permits: 1, per: 1s}}]\n");
    assertThat(admin.get(new RuleId("posts", "c")).version()).isEqualTo(3);
  }

  @Test
  void apply_sameFileAgain_publishesNothing() {
    apply(TWO_RULES);
    assertThat(apply(TWO_RULES)).allMatch(change -> change instanceof RuleChange.Unchanged);
    assertThat(admin.list().endOffset()).isEqualTo(2);
  }

  @Test
  void apply_changedFile_publishesTheNextVersionAndKeepsTheRest() {
    apply(TWO_RULES);
    apply(ONE_CHANGED);
    assertThat(admin.get(new RuleId("posts", "a")).version()).isEqualTo(2);
    assertThat(admin.get(new RuleId("posts", "a")).limit().permits()).isEqualTo(9);
    assertThat(admin.get(new RuleId("posts", "b")).version()).isEqualTo(1);
  }

  @Test
  void apply_ruleThatWasDeleted_goesOnAboveItsOldVersions() {
    RuleId id = new RuleId("posts", "a");
    apply(TWO_RULES);
    long version = 0;
    long generation = 0;
    for (int round = 0; round < 5; round++) {
      apply(round % 2 == 0 ? TWO_RULES : ONE_CHANGED);
      apply(ONE_CHANGED);
      Rule rule = admin.get(id);
      assertThat(rule.version()).isEqualTo(round == 0 ? 2 : version + (round % 2 == 0 ? 3 : 2));
      assertThat(rule.generation()).isGreaterThan(generation);
      version = rule.version();
      generation = rule.generation();
      admin.delete(id, BY);
      log.compact();
    }
    assertThat(admin.get(new RuleId("posts", "b")).generation()).isEqualTo(1);
  }

  @Test
  void apply_prune_deletesOnlyInTheDomainOfTheFile() {
    apply(TWO_RULES);
    apply("domain: reads\nrules: [{id: x, limit: {permits: 1, per: 1s}}]\n");
    admin.apply(valid(ONE_CHANGED), true).publish(BY);
    assertThat(admin.list().rules().keySet())
        .extracting(RuleId::toString)
        .containsExactly("posts/a", "reads/x");
  }

  @Test
  void apply_pruneOfNoRules_deletesAllOfTheDomainAndWhatCannotBeRead() {
    apply(TWO_RULES);
    log.write("posts/odd", new byte[] {1});
    PlannedChanges all = admin.apply(valid("domain: posts\nrules: []\n"), true);
    all.publish(BY);
    assertThat(all.changes())
        .extracting(change -> change.id().toString())
        .containsExactly("posts/a", "posts/b", "posts/odd");
    assertThat(admin.list().rules()).isEmpty();
    assertThat(admin.list().unreadable()).isEmpty();
  }

  @Test
  void formerDomains_ofARenamedFile_areThoseWithTheSameIds() {
    apply(TWO_RULES);
    apply("domain: reads\nrules: [{id: x, limit: {permits: 1, per: 1s}}]\n");
    PublishedRules published = admin.list();
    RuleFile.Valid renamed = valid(TWO_RULES.replace("posts", "postings"));
    assertThat(RuleAdmin.formerDomains(renamed, published)).containsExactly("posts");
    assertThat(RuleAdmin.formerDomains(valid(TWO_RULES), published)).isEmpty();
  }

  @Test
  void apply_notPublished_changesNothing() {
    assertThat(admin.apply(valid(TWO_RULES), true).changes()).hasSize(2);
    assertThat(admin.list().endOffset()).isZero();
  }

  @Test
  void apply_overAnUnreadableRecord_saysHowToGetRidOfIt() {
    log.write("posts/a", new byte[] {1});
    assertThatThrownBy(() -> apply(TWO_RULES))
        .isInstanceOf(RulesException.class)
        .hasMessage(
            "posts/a is published as a record that cannot be read (must be a rule); delete it"
                + " first: quota rules delete posts/a");
    admin.delete(new RuleId("posts", "a"), BY);
    apply(TWO_RULES);
    assertThat(admin.list().rules()).hasSize(2);
  }

  @Test
  void get_noSuchRule_suggestsTheNearest() {
    apply(TWO_RULES);
    assertThatThrownBy(() -> admin.get(new RuleId("post", "a")))
        .hasMessage("no rule post/a is published; did you mean posts/a?");
    assertThatThrownBy(() -> admin.delete(new RuleId("x", "y"), BY))
        .hasMessage("no rule x/y is published; quota rules list shows what there is");
  }

  @Test
  void get_unreadableRule_saysWhy() {
    log.write("posts/a", new byte[] {1});
    assertThatThrownBy(() -> admin.get(new RuleId("posts", "a")))
        .hasMessage("posts/a cannot be read: must be a rule");
  }

  @Test
  void delete_rule_isGone() {
    apply(TWO_RULES);
    admin.delete(new RuleId("posts", "a"), BY);
    assertThat(admin.list().rules().keySet()).containsExactly(new RuleId("posts", "b"));
  }

  private List<RuleChange> apply(String yaml) {
    PlannedChanges planned = admin.apply(valid(yaml), false);
    planned.publish(BY);
    return planned.changes();
  }

  private static RuleFile.Valid valid(String yaml) {
    return (RuleFile.Valid) RuleFile.parse("rules.yaml", yaml);
  }
}
