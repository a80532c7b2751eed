package io.quotaenforcer.enforcer.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import io.quotaenforcer.core.rule.RandomRules;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Changed;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleChange.Unchanged;
import io.quotaenforcer.rules.RuleFile;
import io.quotaenforcer.rules.RuleFiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleRollbackTest {
  private static final Authorship BY = new Authorship("ann", Optional.of("too many"));
  private static final RuleId A = new RuleId("posts", "a");
  private static final RuleId B = new RuleId("posts", "b");

  private final MemoryRulesLog log = new MemoryRulesLog();
  private final RulesTopic topic = new RulesTopic(log, new YamlCodec(), log::nowMillis, turn -> {});
  private final RuleAdmin admin = new RuleAdmin(topic);

  @Test
  void rollback_toAnOldVersion_isANewOneWithTheOldLimitThatKeepsItsCounts() {
    apply("a: {permits: 1, per: 1s}");
    apply("a: {permits: 2, per: 1s}");
    apply("a: {permits: 3, per: 1s}");
    PlannedChanges planned = admin.rollback(A, 2);
    assertThat(planned.changes())
        .singleElement()
        .isInstanceOfSatisfying(
            Changed.class,
            changed -> {
              assertThat(changed.after().version()).isEqualTo(4);
              assertThat(changed.countsAnew()).isFalse();
            });
    assertThat(admin.get(A).limit().permits()).isEqualTo(3);
    planned.publish(BY);
    assertThat(admin.get(A).limit().permits()).isEqualTo(2);
    assertThat(admin.get(A).version()).isEqualTo(4);
    assertThat(admin.get(A).generation()).isEqualTo(1);
    assertThat(admin.history().version(A, 4).orElseThrow().message())
        .contains("back to version 2: too many");
  }

  @Test
  void rollback_overAChangeOfPeriod_startsANewGeneration() {
    apply("a: {permits: 1, per: 1s}");
    apply("a: {permits: 1, per: 2s}");
    admin.rollback(A, 1).publish(BY);
    assertThat(admin.get(A).version()).isEqualTo(3);
    assertThat(admin.get(A).generation()).isEqualTo(3);
  }

  @Test
  void rollback_ofADeletion_bringsTheRuleBackAboveAllItsVersions() {
    apply("a: {permits: 1, per: 1s}");
    admin.delete(A, BY);
    log.compact();
    List<RuleChange> changes = admin.rollback(A, 1).changes();
    assertThat(changes).singleElement().isInstanceOf(Added.class);
    admin.rollback(A, 1).publish(BY);
    assertThat(admin.get(A).version()).isGreaterThan(2);
    assertThat(admin.get(A).generation()).isEqualTo(admin.get(A).version());
  }

  @Test
  void rollback_toWhatIsInForce_changesNothing() {
    apply("a: {permits: 1, per: 1s}");
    apply("a: {permits: 2, per: 1s}");
    apply("a: {permits: 1, per: 1s}");
    for (long version : List.of(1L, 3L)) {
      PlannedChanges planned = admin.rollback(A, version);
      planned.publish(BY);
      assertThat(planned.changes()).singleElement().isInstanceOf(Unchanged.class);
    }
    assertThat(admin.history().versions(A)).hasSize(3);
  }

  @Test
  void rollback_toWhatIsNotKnown_saysWhatIs() {
    apply("a: {permits: 1, per: 1s}");
    apply("a: {permits: 2, per: 1s}");
    admin.delete(A, BY);
    assertThatThrownBy(() -> admin.rollback(A, 9))
        .isInstanceOf(RulesException.class)
        .hasMessage("no version 9 of posts/a is known, but 1, 2, 3");
    assertThatThrownBy(() -> admin.rollback(A, 3))
        .isInstanceOf(RulesException.class)
        .hasMessage(
            "version 3 of posts/a is its deletion; to delete it again: quota rules delete posts/a");
    log.expireHistory(1);
    assertThatThrownBy(() -> admin.rollback(A, 1))
        .isInstanceOf(RulesException.class)
        .hasMessage(
            "no version 1 of posts/a is known, but 2, 3; what is older than these has expired, or"
                + " never was");
    assertThatThrownBy(() -> admin.rollback(new RuleId("posts", "aa"), 1))
        .isInstanceOf(RulesException.class)
        .hasMessage("no version of a rule posts/aa is known; did you mean posts/a?");
    assertThatThrownBy(() -> admin.rollback("post", Instant.EPOCH))
        .isInstanceOf(RulesException.class)
        .hasMessage("no rule of a domain post is known; did you mean posts?");
  }

  @Test
  void rollback_overARecordThatCannotBeRead_saysHowToGetRidOfIt() {
    apply("a: {permits: 1, per: 1s}");
    log.write("posts/a", new byte[] {1});
    assertThatThrownBy(() -> admin.rollback(A, 1))
        .isInstanceOf(RulesException.class)
        .hasMessageEndingWith("delete it first: quota rules delete posts/a");
    admin.delete(A, BY);
    admin.rollback(A, 1).publish(BY);
    assertThat(admin.get(A).limit().permits()).isEqualTo(1);
  }

  @Test
  void rollback_ofADomain_changesBringsBackAndDeletes() {
    apply("a: {permits: 1, per: 1s}", "b: {permits: 1, per: 1s}");
    Instant then = Instant.ofEpochMilli(log.nowMillis());
    log.advance(1);
    apply("a: {permits: 5, per: 1s}", "c: {permits: 5, per: 1s}");
    admin.delete(B, BY);
    PlannedChanges planned = admin.rollback("posts", then);
    assertThat(planned.changes())
        .hasExactlyElementsOfTypes(Changed.class, Added.class, Deleted.class);
    planned.publish(BY);
    assertThat(admin.list().rules().keySet()).containsExactly(A, B);
    assertThat(admin.get(A).limit().permits()).isEqualTo(1);
  }

  @Test
  void rollback_ofADomainToBeforeItsHistory_isRefused() {
    log.write("posts/a", new YamlCodec().encode(rule(A, 1).withVersion(4, 4)));
    assertThatThrownBy(() -> admin.rollback("posts", Instant.ofEpochMilli(999)))
        .isInstanceOf(RulesException.class)
        .hasMessageStartingWith(
            "what posts/a was then is not known: its history begins with version 4, published"
                + " 1970-01-01T00:00:01Z");
  }

  /** Whatever was published, one gets back to each state of the domain. */
  @Test
  void rollback_toAnyMoment_bringsBackTheRulesOfThatMoment() {
    Seeded.check(
        60,
        random -> {
          MemoryRulesLog log = new MemoryRulesLog();
          RuleAdmin admin =
              new RuleAdmin(new RulesTopic(log, new YamlCodec(), log::nowMillis, turn -> {}));
          List<TreeMap<RuleId, Rule>> states = new ArrayList<>();
          List<Instant> moments = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            log.advance(1 + random.nextInt(5));
            List<Rule> rules = new ArrayList<>();
            for (RuleId id : List.of(A, B)) {
              if (random.nextInt(3) > 0) {
                rules.add(RandomRules.rule(random, id));
              }
            }
            admin.apply(new RuleFile.Valid("posts", rules), true).publish(BY);
            if (random.nextBoolean()) {
              log.compact();
            }
            states.add(unversioned(admin));
            moments.add(Instant.ofEpochMilli(log.nowMillis()));
          }
          log.advance(1);
          int to = random.nextInt(states.size());
          if (admin.history().rules().isEmpty()) {
            return;
          }
          admin.rollback("posts", moments.get(to)).publish(BY);
          assertThat(unversioned(admin)).isEqualTo(states.get(to));
        });
  }

  private static TreeMap<RuleId, Rule> unversioned(RuleAdmin admin) {
    TreeMap<RuleId, Rule> rules = new TreeMap<>();
    admin.list().rules().forEach((id, rule) -> rules.put(id, rule.withVersion(0, 0)));
    return rules;
  }

  /** The clock of who published a version may be wrong, that of the brokers is not. */
  @ParameterizedTest
  @ValueSource(longs = {-86_400_000, -3_600_000, 3_600_000, 86_400_000})
  void rollback_toAMoment_goesByWhenVersionsWereWritten(long clockError) {
    log.advance(10 * 86_400_000L);
    apply("a: {permits: 5, per: 1s}");
    log.advance(60_000);
    Instant five = Instant.ofEpochMilli(log.nowMillis());
    log.advance(60_000);
    RulesTopic astray =
        new RulesTopic(log, new YamlCodec(), () -> log.nowMillis() + clockError, turn -> {});
    apply(new RuleAdmin(astray), "a: {permits: 7, per: 1s}");
    log.advance(60_000);
    Instant seven = Instant.ofEpochMilli(log.nowMillis());
    log.advance(60_000);
    apply("a: {permits: 9, per: 1s}");

    assertThat(permitsAt(five)).isEqualTo(5);
    assertThat(permitsAt(seven)).isEqualTo(7);
    log.advance(2 * 86_400_000L);
    apply("a: {permits: 11, per: 1s}");
    assertThat(permitsAt(seven)).isEqualTo(7);
  }

  private long permitsAt(Instant moment) {
    return ((Changed) admin.rollback("posts", moment).changes().get(0)).after().limit().permits();
  }

  private void apply(String... limits) {
    apply(admin, limits);
  }

  private static void apply(RuleAdmin by, String... limits) {
    StringBuilder yaml = new StringBuilder("domain: posts\nrules:\n");
    for (String limit : limits) {
      String[] parts = limit.split(": ", 2);
      yaml.append("  - {id: ").append(parts[0]).append(", limit: ").append(parts[1]).append("}\n");
    }
    RuleFile.Valid file = (RuleFile.Valid) RuleFile.parse("rules.yaml", yaml.toString());
    by.apply(file, false).publish(BY);
  }

  private static Rule rule(RuleId id, long permits) {
    return RuleFiles.rule(
        "domain: %s\nrules: [{id: %s, limit: {permits: %d, per: 1s}}]\n"
            .formatted(id.domain(), id.id(), permits));
  }
}
