package io.quotaenforcer.lab.outage;

import io.quotaenforcer.lab.service.LoopLog.Loop;
import java.util.List;

/** When the enforcer of one partition has answered any service. */
final class Answers {
  private final long[] micros;

  Answers(List<Loop> loops, int partition) {
    micros =
        loops.stream()
            .filter(loop -> loop.partition() == partition)
            .mapToLong(Loop::epochMicros)
            .sorted()
            .toArray();
  }

  /**
   * A time without answers, from the last one before it to the first one after it.
   *
   * @param untilMicros {@link Long#MAX_VALUE} if no answer came
   */
  record Silence(long fromMicros, long untilMicros) {
    private long microsBefore(long endMicros) {
      return Math.min(untilMicros, endMicros) - fromMicros;
    }
  }

  /**
   * The longest that ends after one time and begins before another, by what of it is before that.
   */
  Silence longest(long fromMicros, long untilMicros) {
    Silence longest = new Silence(fromMicros, fromMicros);
    int next = firstFrom(fromMicros);
    long last = next > 0 ? micros[next - 1] : fromMicros;
    for (int i = next; last < untilMicros; i++) {
      Silence silence = new Silence(last, i < micros.length ? micros[i] : Long.MAX_VALUE);
      longest =
          silence.microsBefore(untilMicros) > longest.microsBefore(untilMicros) ? silence : longest;
      last = silence.untilMicros;
    }
    return longest;
  }

  /** The first answer that is not before a time; {@link Long#MAX_VALUE} if there is none. */
  long firstMicros(long fromMicros) {
    int first = firstFrom(fromMicros);
    return first < micros.length ? micros[first] : Long.MAX_VALUE;
  }

  private int firstFrom(long fromMicros) {
    int low = 0;
    int high = micros.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (micros[middle] < fromMicros) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
