package io.quotaenforcer.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.client.internal.config.AdmissionSettings;
import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LifeLogTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long START = 5 * SECOND;

  @RegisterExtension final CapturedLog log = new CapturedLog(LifeLog.class);
  private final LifeLog life = new LifeLog("shop-1", START);

  /** Some seconds pass in which the enforcer leaves {@code away} partitions unanswered. */
  private void look(int away, boolean kafkaIsAway, long fromSecond, long toSecond) {
    for (long at = fromSecond * SECOND; at < toSecond * SECOND; at += SECOND / 200) {
      life.look(away, kafkaIsAway, at);
    }
  }

  private static QuotaSnapshot answer(List<CellGrant> cells) {
    QuotaKey key = QuotaKey.of(new RuleId("shop", "orders"), List.of());
    QuotaAnswer answer =
        new QuotaAnswer(
            key, 1, 100, 0, 100, 0, 0, 0, DeclaredBound.NOTHING, false, cells, List.of());
    return new QuotaSnapshot("shop-1", 1, 0, START, START, List.of(answer));
  }

  private static final FixedWindow LIMIT = new FixedWindow(100, SECOND);

  private static Rule rule(String id) {
    return Rule.of(new RuleId("shop", id), List.of("user"), LIMIT).withVersion(1, 1);
  }

  @Test
  void started_saysWhoAndWhere() {
    life.started(
        AdmissionSettings.read(
            Map.of("bootstrap.servers", "127.0.0.1:1"), UnaryOperator.identity()));

    assertThat(log.said())
        .singleElement()
        .asString()
        .startsWith("INFO shop-1: admission client ")
        .endsWith(" started: domains all, reports to quota.usage, Kafka 127.0.0.1:1");
  }

  @Test
  void grants_onlyTheFirstIsSaid() {
    life.answered(answer(List.of()), START + SECOND);
    assertThat(log.said()).isEmpty();

    for (int i = 0; i < 100; i++) {
      life.answered(answer(List.of(new CellGrant(1, 0, 5, 0, SECOND))), START + 3 * SECOND);
    }
    assertThat(log.said()).containsExactly("INFO shop-1: first grant, 3.0 s after the start");
  }

  @Test
  void rules_areSaidWhenTheyChange() {
    life.rulesApplied(RuleSet.of(List.of(rule("orders"))));
    life.rulesApplied(RuleSet.of(List.of(rule("orders"))));
    life.rulesApplied(RuleSet.of(List.of(rule("orders"), rule("reads"))));

    assertThat(log.said())
        .containsExactly(
            "INFO shop-1: 1 rule in force", "INFO shop-1: 2 rules in force: shop/reads new");
  }

  @Test
  void enforcer_away_isSaidOnceWhenItLasts_andItsEnd() {
    look(4, false, 10, 12);
    look(0, false, 12, 20);
    assertThat(log.said()).as("a restart of an enforcer").isEmpty();

    look(4, false, 20, 40);
    look(0, false, 40, 50);
    assertThat(log.said())
        .containsExactly(
            "WARN shop-1: the enforcer leaves reports of 4 partition(s) unanswered: rules decide"
                + " by on-unavailable there until it answers",
            "INFO shop-1: the enforcer answers again, after 20.0 s");
  }

  @Test
  void enforcer_awaySinceKafkaIs_isNotSaidBesides() {
    look(4, false, 10, 11);
    look(4, true, 11, 60);
    look(4, false, 60, 62);
    look(0, false, 62, 70);

    assertThat(log.said()).isEmpty();
  }

  @Test
  void closed_saysWhetherAllIsConfirmed() {
    life.closed(true);
    life.closed(false);

    assertThat(log.said())
        .containsExactly(
            "INFO shop-1: admission client closed",
            "INFO shop-1: admission client closed; what it held and the enforcer has not confirmed"
                + " counts as spent");
  }
}
