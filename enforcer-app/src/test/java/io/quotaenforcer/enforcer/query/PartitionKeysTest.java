package io.quotaenforcer.enforcer.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.FixedWindow;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import io.quotaenforcer.enforcer.store.WindowCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class PartitionKeysTest {
  private static final int MANY = 1_000_000;
  private static final RuleId RULE = new RuleId("posts", "per-user");
  private static final byte[] ROW =
      KeyLedgerCodec.write(
          KeyLedger.first(1, new FixedWindow(10, 1_000_000_000L), 1, 5_000_000_000L));

  private final MapStore store = new MapStore();

  private void put(String... values) {
    store.rows.put(WindowCounts.ledgerKey(QuotaKey.of(RULE, List.of(values))), ROW);
  }

  private List<String> search(String prefix, String after, int most) {
    return PartitionKeys.search(store, prefix, after, most, 0).rows().stream()
        .map(KeyFacts::quotaKey)
        .toList();
  }

  @Test
  void keys_beginWithThePrefix_inTheOrderOfTheirTexts() {
    put("a");
    put("ab");
    put("a b");
    put("b");
    put("a", "x");
    store.rows.put(
        WindowCounts.ledgerKey(QuotaKey.of(new RuleId("posts", "per-user-2"), List.of("a"))), ROW);

    assertThat(search("posts/per-user/a", "", 10))
        .containsExactly(
            "posts/per-user/a", "posts/per-user/a%20b", "posts/per-user/a/x", "posts/per-user/ab");
    assertThat(search("posts/per-user/", "posts/per-user/ab", 10))
        .containsExactly("posts/per-user/b");
    assertThat(search("posts/per-user/b", "posts/per-user/a", 10))
        .containsExactly("posts/per-user/b");
    assertThat(search("posts/per-user/a", "posts/per-user/b", 10)).isEmpty();
    assertThat(search("posts/none", "", 10)).isEmpty();
  }

  @Test
  void page_amongAMillionKeys_readsNoMoreThanItTells() {
    for (int i = 0; i < MANY; i++) {
      put(Integer.toString(i));
    }
    Bytes other = Bytes.wrap(new byte[] {2, 1});
    store.rows.put(other, new byte[0]);

    Page<KeyFacts> page = PartitionKeys.search(store, "posts/per-user/77", "", 50, 0);

    assertThat(page.rows()).hasSize(50);
    assertThat(page.more()).isTrue();
    assertThat(store.steps).isLessThanOrEqualTo(51);
  }

  @Test
  void pages_tellEveryKeyOnce() {
    Set<String> all = new TreeSet<>();
    for (int i = 0; i < 300; i++) {
      put("u" + i);
      all.add("posts/per-user/u" + i);
    }
    List<String> found = new ArrayList<>();
    Page<KeyFacts> page = PartitionKeys.search(store, "posts/", "", 7, 0);
    while (true) {
      page.rows().forEach(key -> found.add(key.quotaKey()));
      if (!page.more()) {
        break;
      }
      page = PartitionKeys.search(store, "posts/", found.get(found.size() - 1), 7, 0);
    }

    assertThat(found).containsExactlyElementsOf(all);
  }

  @Test
  void page_ofLongKeys_endsSooner() {
    for (int i = 0; i < 100; i++) {
      // Percent signs are written as three characters each.
      List<String> values = new ArrayList<>(Collections.nCopies(31, "%".repeat(200)));
      values.add(0, "k" + i);
      put(values.toArray(String[]::new));
    }
    Page<KeyFacts> page = PartitionKeys.search(store, "posts/", "", 200, 0);

    assertThat(page.more()).isTrue();
    assertThat(page.rows().stream().mapToLong(KeyFacts::heapBytes).sum())
        .isLessThanOrEqualTo(PartitionKeys.MOST_BYTES_KEPT);
  }
}
