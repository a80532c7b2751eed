package io.quotaenforcer.schemas.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.adapt.AdaptReason;
import io.quotaenforcer.core.adapt.LimitCause;
import io.quotaenforcer.core.adapt.LimitInForce;
import io.quotaenforcer.core.adapt.LoadQuantity;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.HolderId;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.schemas.codec.Codecs;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The largest reports to one partition at once, and their answers, in records that brokers take.
 */
class ReportSizesTest {
  /** Without a topic's {@code max.message.bytes}, which the topics of reports and answers lack. */
  private static final int BROKERS_MESSAGE_MAX_BYTES = 1_048_588;

  private static final int MOST_OPEN_CELLS = 3;
  private static final long LARGE = Long.MAX_VALUE;
  private static final String LONGEST_REASON =
      new AdaptReason.SignalLost(0, Set.of(LoadQuantity.values())).toString();

  private final Wire wire = Wire.of("quota.", Codecs.withoutRegistry());

  /** Keys of one long value, of two, of as many as a key may have; and cells as many as allowed. */
  @ParameterizedTest
  @CsvSource({"500, 1, 3", "500, 2, 1", "100, 6, 1", "40, 32, 3", "500, 1, 100"})
  void reportAndAnswer_ofAnyKeys_fit(int keys, int values, int cells) {
    List<QuotaUsage> quotas =
        IntStream.range(0, keys).mapToObj(i -> usage(key(i, values), cells)).toList();

    List<PartitionReport> parts = new PartitionReport(0, 0, quotas).parts();

    assertThat(parts.stream().flatMap(part -> part.quotas().stream())).hasSize(keys);
    for (PartitionReport part : parts) {
      UsageReport report = new UsageReport(instance(), LARGE, LARGE, LARGE, 15, part.quotas());
      List<QuotaAnswer> answers = part.quotas().stream().map(ReportSizesTest::answer).toList();
      QuotaSnapshot snapshot = new QuotaSnapshot(instance(), LARGE, 15, LARGE, LARGE, answers);

      assertThat(wire.encode(report)).hasSizeLessThan(BROKERS_MESSAGE_MAX_BYTES / 2);
      assertThat(wire.encode(snapshot)).hasSizeLessThan(BROKERS_MESSAGE_MAX_BYTES * 9 / 10);
    }
  }

  private static String instance() {
    return "€".repeat(HolderId.Instance.MAX_CHARS);
  }

  private static QuotaKey key(int number, int values) {
    return QuotaKey.of(
        new RuleId("shop", "orders"), Collections.nCopies(values, "€".repeat(194) + number));
  }

  private static QuotaUsage usage(QuotaKey key, int cells) {
    CellUsage cell =
        CellUsage.of(LARGE, LARGE)
            .withGranted(LARGE)
            .withTaken(LARGE)
            .withPutBack(LARGE)
            .withGivenBack(LARGE)
            .withThrottled(LARGE)
            .asClosed()
            .withEarlier(LARGE, LARGE)
            .ofShare(LARGE);
    return new QuotaUsage(key, LARGE, 1.5, LARGE, Collections.nCopies(cells, cell));
  }

  /** Answer to an instance that reports closed cells and has others. */
  private static QuotaAnswer answer(QuotaUsage usage) {
    CellGrant open =
        new CellGrant(LARGE, LARGE, LARGE, LARGE, LARGE, new RateShare(LARGE, 1L << 40, 1L << 40));
    return new QuotaAnswer(
        usage.quotaKey(),
        LARGE,
        LARGE,
        LARGE,
        LARGE,
        LARGE,
        LARGE,
        LARGE,
        new DeclaredBound(LARGE, OptionalLong.of(LARGE), LARGE),
        true,
        List.of(),
        Collections.nCopies(MOST_OPEN_CELLS, open),
        usage.cells().stream().map(CellUsage::id).toList(),
        LARGE,
        Optional.of(new LimitInForce(1, LimitCause.WITHOUT_SIGNAL, LONGEST_REASON, LARGE)));
  }
}
