package io.quotaenforcer.core.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.Seeded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UsageReportSplitTest {
  private static final RuleId RULE = new RuleId("posts", "per-user");

  /** Far below a broker's limit of 1 MiB, and the answer, which says more, fits into one, too. */
  private static final int MOST_CHARS = 400_000;

  @Test
  void split_nothing_isNoPart() {
    assertThat(UsageReport.split(List.of(), 10)).isEmpty();
  }

  @Test
  void split_asManyAsGoIntoOnePart_isOne_oneMoreIsTwo() {
    assertThat(UsageReport.split(quotas(10, 2), 10)).hasSize(1);
    assertThat(UsageReport.split(quotas(11, 2), 10)).extracting(List::size).containsExactly(10, 1);
    assertThat(UsageReport.split(quotas(3, 2), 1)).extracting(List::size).containsExactly(1, 1, 1);
  }

  @Test
  void split_longQuotaKeys_makesPartsOfFewer() {
    QuotaUsage longest = usage("v".repeat(QuotaKey.MAX_VALUE_CHARS), QuotaKey.MAX_VALUES);
    List<List<QuotaUsage>> parts = UsageReport.split(Collections.nCopies(200, longest), 10_000);

    assertThat(parts.size()).isGreaterThan(2);
    for (List<QuotaUsage> part : parts) {
      assertThat(chars(part)).isLessThan(MOST_CHARS);
    }
  }

  @Test
  void split_anyQuotas_areAllThereInOrder_inPartsThatFit() {
    Seeded.check(
        200,
        random -> {
          List<QuotaUsage> quotas = new ArrayList<>();
          for (int i = random.nextInt(300); i > 0; i--) {
            quotas.add(usage("u" + i + "v".repeat(random.nextInt(150)), 1 + random.nextInt(30)));
          }
          int most = 1 + random.nextInt(100);

          List<List<QuotaUsage>> parts = UsageReport.split(quotas, most);

          assertThat(parts.stream().flatMap(List::stream)).containsExactlyElementsOf(quotas);
          for (int i = 0; i < parts.size(); i++) {
            assertThat(parts.get(i).size()).isBetween(1, most);
            assertThat(chars(parts.get(i))).isLessThan(MOST_CHARS);
            if (i > 0) {
              boolean wasFull = parts.get(i - 1).size() == most;
              boolean wouldNotFit =
                  chars(parts.get(i - 1)) + chars(parts.get(i).subList(0, 1)) > MOST_CHARS - 50_000;
              assertThat(wasFull || wouldNotFit).as("part %d begins for a reason", i).isTrue();
            }
          }
        });
  }

  private static int chars(List<QuotaUsage> part) {
    return part.stream().mapToInt(usage -> usage.quotaKey().toString().length()).sum();
  }

  private static List<QuotaUsage> quotas(int count, int values) {
    List<QuotaUsage> quotas = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < count; i++) {
      quotas.add(usage("u" + random.nextInt(1_000), values));
    }
    return quotas;
  }

  private static QuotaUsage usage(String value, int values) {
    List<String> all = Collections.nCopies(values, value);
    return new QuotaUsage(QuotaKey.of(RULE, all), 1, 0, 0, List.of());
  }
}
