package io.quotaenforcer.bench.codec;

import io.quotaenforcer.schemas.CellGrant;
import io.quotaenforcer.schemas.CellUsage;
import io.quotaenforcer.schemas.QuotaAnswer;
import io.quotaenforcer.schemas.QuotaSnapshot;
import io.quotaenforcer.schemas.QuotaUsage;
import io.quotaenforcer.schemas.UsageReport;
import io.quotaenforcer.schemas.avro.WireRecord;
import java.util.List;
import java.util.stream.IntStream;

/** A report of an instance on ten quota keys of two cells each, and its answer. */
final class SampleRecords {
  static final String REPORT = "report";
  static final String SNAPSHOT = "snapshot";

  private static final int KEYS = 10;
  private static final long EPOCH = 1_795_000_000_000_000_000L;
  private static final long NANOS = 86_400_000_000_000L;
  private static final long PERIOD = 1_000_000_000L;
  private static final long UNSHARED = -1;

  private SampleRecords() {}

  static WireRecord of(String name) {
    return switch (name) {
      case REPORT -> report();
      case SNAPSHOT -> snapshot();
      default -> throw new IllegalArgumentException("must be a record: name=" + name);
    };
  }

  private static UsageReport report() {
    List<QuotaUsage> quotas =
        IntStream.range(0, KEYS)
            .mapToObj(
                i ->
                    new QuotaUsage(
                        key(i), EPOCH, 12.5 + i, 20, List.of(used(i), used(-i)), List.of()))
            .toList();
    return new UsageReport("web-7f9c4d-x2x9k", EPOCH, NANOS, 12_000_000, 3, quotas);
  }

  private static CellUsage used(int i) {
    return new CellUsage(1_000 + i, EPOCH + i * PERIOD, 40, 37, 1, 0, 12, i < 0, 0, 0, 0, UNSHARED);
  }

  private static QuotaSnapshot snapshot() {
    List<QuotaAnswer> quotas = IntStream.range(0, KEYS).mapToObj(SampleRecords::answer).toList();
    return new QuotaSnapshot("web-7f9c4d-x2x9k", EPOCH, 3, NANOS, EPOCH, quotas);
  }

  private static QuotaAnswer answer(int i) {
    return new QuotaAnswer(
        key(i),
        EPOCH,
        1_000,
        730 + i,
        270 - i,
        EPOCH + PERIOD,
        40,
        false,
        List.of(granted(i), granted(-i)),
        List.of(900L + i, 901L + i),
        i % 2 == 0 ? null : 40L,
        0,
        0,
        0,
        List.of(),
        0);
  }

  private static CellGrant granted(int i) {
    long start = EPOCH + i * PERIOD;
    return new CellGrant(1_000 + i, start, 40, start, start + PERIOD, 0, 0, 0);
  }

  private static String key(int i) {
    return "shop/orders-per-customer/customer-%07d".formatted(i * 7_919);
  }
}
