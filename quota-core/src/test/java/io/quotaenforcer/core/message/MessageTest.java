package io.quotaenforcer.core.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quotaenforcer.core.Outcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RequestEvent.CountedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents that messages refuse, and their immutability. */
class MessageTest {
  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/42");

  private static RequestEvent event(String id) {
    return new RequestEvent(
        id, Request.of("user", "42"), 1, Outcome.ADMITTED, CountedBy.ENFORCER, "");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 200})
  void event_idThatCanBeRemembered_isTaken(int chars) {
    assertThat(event("e".repeat(chars)).id()).hasSize(chars);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 201, 100_000})
  void event_idThatCannot_isRefused_andNotRepeated(int chars) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> event("e".repeat(chars)))
        .withMessage("must have 1 to 200 characters: id has " + chars);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0, 0, 0", "0, -1, 0, 0", "0, 0, -1, 0", "0, 0, 0, -1"})
  void share_negativeTerm_isRefused(long number, long permits, long burstMillis, long filled) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RateShare(number, permits, burstMillis, filled))
        .withMessage(
            "must not be negative: number=%d permits=%d burstMillis=%d filled=%d"
                .formatted(number, permits, burstMillis, filled));
  }

  @Test
  void share_withANumber_isOne_evenIfItIsEmpty() {
    assertThat(new RateShare(1, 0, 0).isShare()).isTrue();
    assertThat(new RateShare(RateShare.ENDED, 0, 0).isShare()).isTrue();
    assertThat(RateShare.NONE.isShare()).isFalse();
  }

  @Test
  void grant_withoutTerms_isOfPermits_andEndsWithItsValidity() {
    CellGrant grant = new CellGrant(1, 0, 10, 5, 100);

    assertThat(grant.share()).isEqualTo(RateShare.NONE);
    assertThat(grant.isEnded()).isFalse();
    assertThat(new CellGrant(1, 0, 10, 5, 0).isEnded()).isTrue();
  }

  @Test
  void lists_thatChangeAfterwards_areKeptAsTheyWere() {
    List<CellUsage> cells = new ArrayList<>();
    QuotaUsage usage = new QuotaUsage(KEY, 1, 0, 0, cells);
    List<QuotaUsage> usages = new ArrayList<>(List.of(usage));
    UsageReport report = new UsageReport("i", 1, 2, 3, 4, usages);
    List<QuotaAnswer> answers = new ArrayList<>();
    QuotaSnapshot snapshot = new QuotaSnapshot("i", 1, 0, 2, 3, answers);

    usages.clear();

    assertThat(report.quotas()).containsExactly(usage);
    assertThat(snapshot.quotas()).isEmpty();
    assertThat(usage.cells()).isEmpty();
  }

  @Test
  void report_ofOtherQuotas_saysAllElseAlike() {
    UsageReport report =
        new UsageReport("i", 1, 2, 3, 4, List.of(new QuotaUsage(KEY, 1, 0, 0, List.of())));

    assertThat(report.withQuotas(List.of())).isEqualTo(new UsageReport("i", 1, 2, 3, 4, List.of()));
    assertThat(report.withQuotas(report.quotas())).isEqualTo(report);
  }

  @Test
  void ruleVersion_withoutAFile_isADeletion() {
    RuleId id = new RuleId("d", "r");
    RuleVersion deletion =
        new RuleVersion(id, 3, false, Optional.empty(), 7, Optional.empty(), Optional.empty());

    assertThat(deletion.isDeletion()).isTrue();
    assertThat(deletion.publishedAt(9).atMillis()).isEqualTo(9);
    assertThat(deletion.publishedAt(7)).isEqualTo(deletion);
    assertThat(
            new RuleVersion(id, 3, true, Optional.of("x"), 7, Optional.empty(), Optional.empty())
                .isDeletion())
        .isFalse();
  }
}
