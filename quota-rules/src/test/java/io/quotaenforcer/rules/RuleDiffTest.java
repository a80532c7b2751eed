package io.quotaenforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Changed;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleChange.FieldChange;
import io.quotaenforcer.rules.RuleChange.Kept;
import io.quotaenforcer.rules.RuleChange.Unchanged;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RuleDiffTest {
  private static final Rule PUBLISHED =
      RuleFiles.rule(RuleFiles.withLines("mode: shadow")).withVersion(7, 3);

  @Test
  void between_newRule_isAddedAsVersionOne() {
    Rule wanted = PUBLISHED.withVersion(0, 0);
    assertThat(RuleDiff.between(List.of(), List.of(wanted), false, id -> 1))
        .containsExactly(new Added(wanted.withVersion(1, 1)));
  }

  @Test
  void between_sameRule_isUnchanged() {
    assertThat(
            RuleDiff.between(
                List.of(PUBLISHED), List.of(PUBLISHED.withVersion(0, 0)), true, id -> 1))
        .containsExactly(new Unchanged(PUBLISHED));
  }

  @Test
  void between_otherMode_isTheNextVersionOfTheSameGeneration() {
    Rule wanted = RuleFiles.rule(RuleFiles.withLines("mode: enforce", "tolerance: 2.5%"));
    assertThat(RuleDiff.between(List.of(PUBLISHED), List.of(wanted), false, id -> 1))
        .containsExactly(
            new Changed(
                PUBLISHED,
                wanted.withVersion(8, 3),
                List.of(
                    new FieldChange("mode", "shadow", "enforce"),
                    new FieldChange("tolerance", "0%", "2.5%"))));
  }

  @Test
  void between_otherPeriod_startsAGeneration() {
    Rule wanted = RuleFiles.rule(RuleFiles.withLimit("{permits: 2, per: 2s}"));
    assertThat(RuleDiff.between(List.of(PUBLISHED), List.of(wanted), false, id -> 1))
        .singleElement()
        .isInstanceOfSatisfying(
            Changed.class,
            changed -> {
              assertThat(changed.after().version()).isEqualTo(8);
              assertThat(changed.after().generation()).isEqualTo(8);
              assertThat(changed.countsAnew()).isTrue();
            });
  }

  @Test
  void between_ruleNotInTheFile_staysUnlessPruned() {
    assertThat(RuleDiff.between(List.of(PUBLISHED), List.of(), false, id -> 1))
        .containsExactly(new Kept(PUBLISHED));
    assertThat(RuleDiff.between(List.of(PUBLISHED), List.of(), true, id -> 1))
        .containsExactly(new Deleted(PUBLISHED.id(), Optional.of(PUBLISHED)));
  }

  @Test
  void between_overridesInAnotherOrder_isAChange() {
    String a = "{key: {user: a}, exempt: true}";
    String b = "{key: {user: b}, exempt: true}";
    Rule before = RuleFiles.rule(RuleFiles.withLines("overrides: [" + a + ", " + b + "]"));
    Rule after = RuleFiles.rule(RuleFiles.withLines("overrides: [" + b + ", " + a + "]"));
    assertThat(RuleDiff.between(List.of(before.withVersion(1, 1)), List.of(after), false, id -> 1))
        .singleElement()
        .isInstanceOf(Changed.class);
  }

  @Test
  void between_anyTwoRules_namesAFieldExactlyWhenTheyDiffer() {
    RuleId id = new RuleId("posts", "per-user");
    Seeded.check(
        1_000,
        random -> {
          Rule before = RandomRules.rule(random, id).withVersion(5, 2);
          Rule after = random.nextInt(9) == 0 ? before : RandomRules.rule(random, id);
          RuleChange change =
              RuleDiff.between(List.of(before), List.of(after), true, any -> 1).get(0);
          if (change instanceof Changed changed) {
            assertThat(changed.fields()).isNotEmpty();
            assertThat(changed.after().version()).isEqualTo(6);
            assertThat(changed.after().generation())
                .isEqualTo(after.startsNewGenerationAfter(before) ? 6 : 2);
          } else {
            assertThat(change).isEqualTo(new Unchanged(before));
            assertThat(after.withVersion(5, 2)).isEqualTo(before);
          }
        });
  }

  @Test
  void lines_everyKindOfChange_readsAloud() {
    Rule old = rule("old", "{permits: 5, per: 1m}").withVersion(2, 1);
    Rule kept = rule("kept", "{permits: 5, per: 1m}").withVersion(2, 1);
    Rule same = rule("same", "{permits: 5, per: 1m}").withVersion(2, 1);
    Rule changed =
        RuleFiles.rule(
            RuleFiles.withLimit(
                "{permits: 2, per: 1s}\n    key: [user]\n    overrides: [{key: {user: vip}, exempt:"
                    + " true}]"));
    List<RuleChange> changes = new ArrayList<>();
    changes.addAll(
        RuleDiff.between(
            List.of(old, PUBLISHED, same),
            List.of(changed, same, rule("new", "{permits: 1, per: 1d}")),
            true,
            id -> 9));
    changes.addAll(RuleDiff.between(List.of(kept), List.of(), false, id -> 1));
    assertThat(RuleDiffText.lines(changes))
        .containsExactly(
            "+ posts/new: 1 per 1d in all, sliding-window, balanced",
            "- posts/old: 5 per 1m in all, sliding-window, balanced",
            "~ posts/per-user: version 7 -> 8, counts are kept",
            "    mode: shadow -> enforce",
            "    override {user: vip}: (none) -> exempt",
            "  posts/kept: not in the file, kept (--prune deletes it)",
            "1 added, 1 changed, 1 deleted, 1 unchanged");
  }

  private static Rule rule(String id, String limit) {
    return RuleFiles.rule("domain: posts\nrules: [{id: " + id + ", limit: " + limit + "}]\n");
  }
}
