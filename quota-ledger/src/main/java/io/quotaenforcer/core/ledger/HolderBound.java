package io.quotaenforcer.core.ledger;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Keeps what a ledger remembers of its holders within what fits into a record, however many come
 * and go. Those that were silent for longest are <em>folded</em>: what they held stays spent, what
 * they reported stays counted, and of them all only the newest id of their granted cells is kept,
 * so that one that comes back is not counted again. What one that comes back had opened by its own
 * count is: nothing tells it from a new one.
 */
final class HolderBound {
  /** Cells of one holder that are not settled yet. */
  static final int MOST_CELLS = 100;

  /**
   * Bound on the holders' part of a row. A ledger has other parts, and brokers take records of 1
   * MiB unless a topic says otherwise, which changelogs of older enforcers do not.
   */
  static final long MOST_BYTES = 900_000;

  private static final long FOLDED_FROM = MOST_BYTES / 2;
  private static final long FOLDED_TO = 3 * MOST_BYTES / 8;

  /** By then an instance that can be reached has reported, and its leases have ended. */
  private static final int SILENT_LEASES = 10;

  /** A number or a time takes no more. */
  private static final int NUMBER_BYTES = 9;

  private static final int NUMBERS = 16;
  private static final int BYTES_OF_A_CHAR = 3;

  private HolderBound() {}

  /** Folds holders when there are many. */
  static void keep(WorkingLedger ledger, LedgerSettings settings) {
    long bytes = bytes(ledger.holders());
    if (bytes <= FOLDED_FROM) {
      return;
    }
    long since = ledger.now - SILENT_LEASES * settings.allotmentTtlNanos();
    List<Holder> silent = new ArrayList<>(ledger.holders());
    silent.removeIf(
        holder ->
            holder.lastReportNanos() >= since
                || holder.isReplays()
                || holder.isFolded()
                || !ledger.account.mayForget(holder)
                || holder.cells().hasShareInUse());
    silent.sort(Comparator.comparingLong(Holder::lastReportNanos));
    Set<Holder> folded = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < silent.size() && bytes > FOLDED_TO; i++) {
      folded.add(silent.get(i));
      bytes -= bytes(silent.get(i));
    }
    if (!folded.isEmpty()) {
      ledger.fold(folded);
    }
  }

  /** Whether there is room for holders that cannot be folded, however long they are silent. */
  static boolean hasRoom(WorkingLedger ledger) {
    return bytes(ledger.holders()) <= FOLDED_TO;
  }

  /**
   * Refuses a report that would make the ledger too large.
   *
   * @throws InvalidReportException if it does
   */
  static void check(WorkingLedger ledger, Holder reported) {
    if (reported.cells().size() > MOST_CELLS) {
      throw new InvalidReportException(
          "must have at most %d cells that are not settled: %d"
              .formatted(MOST_CELLS, reported.cells().size()));
    }
    if (bytes(ledger.holders()) <= MOST_BYTES) {
      return;
    }
    long bytes = ledger.holders().stream().mapToLong(HolderBound::exactBytes).sum();
    if (bytes > MOST_BYTES) {
      throw new InvalidReportException(
          "must be a quota key that fewer instances use at once: %d do, which takes %d bytes of %d"
              .formatted(ledger.holders().size(), bytes, MOST_BYTES));
    }
  }

  /**
   * Never less than they take in a row, but for the two numbers of a {@linkplain SteadyDemand
   * pause}, for which a record has room beside that.
   */
  private static long bytes(List<Holder> holders) {
    long sum = 0;
    for (Holder holder : holders) {
      sum += bytes(holder);
    }
    return sum;
  }

  private static long bytes(Holder holder) {
    return bytes(holder, (long) BYTES_OF_A_CHAR * holder.id().text().length());
  }

  /** The same, but for the exact size of its id, which takes a look at each character. */
  private static long exactBytes(Holder holder) {
    return bytes(holder, holder.id().text().getBytes(StandardCharsets.UTF_8).length);
  }

  private static long bytes(Holder holder, long bytesOfInstance) {
    return NUMBERS * NUMBER_BYTES
        + bytesOfInstance
        + (long) NUMBER_BYTES * holder.cells().numbers();
  }
}
