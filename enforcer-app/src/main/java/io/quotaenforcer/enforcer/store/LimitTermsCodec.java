package io.quotaenforcer.enforcer.store;

import io.quotaenforcer.core.algorithm.Algorithm;
import io.quotaenforcer.core.algorithm.BucketTerms;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.LimitTerms;
import io.quotaenforcer.core.algorithm.Windows;
import java.time.DateTimeException;
import java.time.ZoneId;

/** Limits in rows. Enum constants are written by their ordinal, so that none may ever move. */
final class LimitTermsCodec {
  private static final int ALIGNED = 0;
  private static final int CALENDAR = 1;

  private LimitTermsCodec() {}

  static void write(RowOutput out, Limit limit) {
    LimitTerms terms = limit.terms();
    out.writeByte(terms.algorithm().ordinal());
    out.writeLong(terms.permits());
    if (terms.windows() instanceof Windows.Calendar calendar) {
      out.writeByte(CALENDAR);
      out.writeByte(calendar.unit().ordinal());
      out.writeText(calendar.zone().getId());
    } else {
      out.writeByte(ALIGNED);
      out.writeLong(terms.windows().longestNanos());
    }
    out.writeLong(terms.burst());
    out.writeLong(terms.initial());
    out.writeByte(terms.refill().ordinal());
    out.writeLong(terms.warmUpNanos());
    out.writeInt(terms.slots());
    out.writeBoolean(terms.countThrottled());
    if (terms.algorithm() == Algorithm.CONCURRENCY) {
      out.writeLong(terms.maxHoldNanos());
    }
  }

  static Limit read(RowInput in) {
    Algorithm algorithm = constant(Algorithm.values(), in.readByte(), "algorithm");
    long permits = in.readLong();
    return new LimitTerms(
            algorithm,
            permits,
            readWindows(in),
            new BucketTerms(
                in.readLong(),
                in.readLong(),
                constant(LimitTerms.Refill.values(), in.readByte(), "refill"),
                in.readLong()),
            in.readInt(),
            in.readBoolean(),
            algorithm == Algorithm.CONCURRENCY ? in.readLong() : 0)
        .toLimit();
  }

  private static Windows readWindows(RowInput in) {
    if (in.readByte() == ALIGNED) {
      return new Windows.Aligned(in.readLong());
    }
    Windows.CalendarUnit unit =
        constant(Windows.CalendarUnit.values(), in.readByte(), "calendar unit");
    String zone = in.readText();
    try {
      return new Windows.Calendar(unit, ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw new IllegalStateException(
          "a ledger row has time zone %s, which this Java does not know; run the enforcer on one that does"
              .formatted(zone),
          e);
    }
  }

  private static <E> E constant(E[] constants, int number, String what) {
    if (number < 0 || number >= constants.length) {
      throw new IllegalStateException(
          "a ledger row has unknown %s %d; run the enforcer version that wrote the state"
              .formatted(what, number));
    }
    return constants[number];
  }
}
