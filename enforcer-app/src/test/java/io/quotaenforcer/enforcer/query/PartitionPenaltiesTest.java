package io.quotaenforcer.enforcer.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.PenaltyState;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.PenaltyTerms;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionPenaltiesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long NOW = 1_000 * SECOND;
  private static final FixedWindow LIMIT = new FixedWindow(5, SECOND);
  private static final Rule LOGINS = rule("logins/per-user");

  private final MapStore store = new MapStore();
  private final PartitionPenalties partition = new PartitionPenalties(store, NOW);

  private static Rule rule(String id) {
    return Rule.of(RuleId.parse(id), List.of("user"), LIMIT)
        .withPenalty(new PenaltyTerms(5, SECOND, 60 * SECOND, 2, 600 * SECOND))
        .withVersion(1, 1);
  }

  /** A key of which the last penalty ends so many seconds from now. */
  private void penalized(String key, long seconds, int inARow) {
    PenaltyState penalty =
        new PenaltyState(List.of(), 0, inARow, NOW + seconds * SECOND, 60 * SECOND);
    KeyLedger first = KeyLedger.first(1, LIMIT, 1, NOW);
    put(
        key,
        new KeyLedger(
            first.counting(),
            first.times(),
            first.trust(),
            penalty,
            first.headrooms(),
            first.holders()));
  }

  private void put(String key, KeyLedger ledger) {
    store.rows.put(WindowCounts.ledgerKey(QuotaKey.parse(key)), KeyLedgerCodec.write(ledger));
  }

  private List<String> keys(List<Rule> rules) {
    return partition.list(rules, Optional.empty(), Optional.empty(), 100).rows().stream()
        .map(it -> it.quotaKey().toString())
        .toList();
  }

  @Test
  void list_hasKeysUnderAPenalty_withItsTimes_andNoOthers() {
    penalized("logins/per-user/mallory", 30, 2);
    penalized("logins/per-user/released", 0, 1);
    put("logins/per-user/alice", KeyLedger.first(1, LIMIT, 1, NOW));

    assertThat(partition.list(List.of(LOGINS), Optional.empty(), Optional.empty(), 10))
        .isEqualTo(
            new Page<>(
                List.of(
                    new PenalizedKey(
                        QuotaKey.parse("logins/per-user/mallory"),
                        Mode.ENFORCE,
                        Instant.ofEpochSecond(970),
                        Instant.ofEpochSecond(1030),
                        2)),
                false));
  }

  @Test
  void rules_whoseNamesBeginAlike_areKeptApart_andInTheOrderOfTheirTexts() {
    Rule other = rule("logins/per-user-2");
    Rule whole = Rule.of(RuleId.parse("logins/per-user0"), List.of(), LIMIT).withVersion(1, 1);
    penalized("logins/per-user/a", 30, 1);
    penalized("logins/per-user/z", 30, 1);
    penalized("logins/per-user-2/m", 30, 1);
    penalized("logins/per-user0", 30, 1);

    assertThat(keys(List.of(LOGINS))).containsExactly("logins/per-user/a", "logins/per-user/z");
    assertThat(keys(List.of(LOGINS, other, whole)))
        .containsExactly(
            "logins/per-user-2/m", "logins/per-user/a", "logins/per-user/z", "logins/per-user0")
        .isSorted();
  }

  @Test
  void list_ofMany_isReadPageByPage_eachKeyOnce() {
    List<String> all = IntStream.range(100, 350).mapToObj(i -> "logins/per-user/u" + i).toList();
    all.forEach(key -> penalized(key, 30, 1));

    Optional<QuotaKey> after = Optional.empty();
    List<String> read = new ArrayList<>();
    Page<PenalizedKey> page;
    do {
      page = partition.list(List.of(LOGINS), after, Optional.empty(), 100);
      assertThat(page.rows()).hasSizeLessThanOrEqualTo(100);
      page.rows().forEach(it -> read.add(it.quotaKey().toString()));
      after = page.end().map(PenalizedKey::quotaKey);
    } while (page.more());
    assertThat(read).isEqualTo(all);

    QuotaKey until = QuotaKey.parse("logins/per-user/u101");
    assertThat(partition.list(List.of(LOGINS), Optional.empty(), Optional.of(until), 100).rows())
        .hasSize(2);
  }

  @Test
  void keysOfLongTexts_fillAPageSooner() {
    String value = "x".repeat(190);
    String values = String.join("/", Collections.nCopies(30, value));
    for (int i = 100; i < 300; i++) {
      penalized("logins/per-user/" + i + "/" + values, 30, 1);
    }
    Page<PenalizedKey> page =
        partition.list(List.of(LOGINS), Optional.empty(), Optional.empty(), 1_000);
    assertThat(page.more()).isTrue();
    assertThat(page.rows()).hasSizeBetween(10, 100);
  }
}
