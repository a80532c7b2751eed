package io.quotaenforcer.bench.sparse;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.algorithm.SlidingWindow;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.enforcer.store.KeyLedgerCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The ledger row of one quota key after every instance had one request of it. */
record LedgerGrowth(String after, int holders, int cells, int bytes) {
  private static final long SECOND = 1_000 * SparseRun.MILLI;
  private static final long BETWEEN = 50 * SparseRun.MILLI;

  /** Long enough for holders without open cells to be forgotten. */
  private static final int MINUTES = 11;

  static List<LedgerGrowth> measure(long seed) {
    long minute = 60 * SECOND;
    SparseScenario scenario =
        new SparseScenario("one key", new SlidingWindow(1_000, minute), Enforcement.BALANCED, 0);
    int instances = SparseScenario.INSTANCES;
    SparseRun run = new SparseRun(scenario, new SplittableRandom(seed));
    Request request = Request.of("user", "user-0000042");
    for (int i = 0; i < instances; i++) {
      int instance = i;
      run.time.at(SparseRun.START + (i + 1) * BETWEEN, () -> run.fleet.decide(instance, request));
    }
    List<LedgerGrowth> rows = new ArrayList<>();
    long touched = SparseRun.START + (instances + 1) * BETWEEN;
    rows.add(at(run, touched, "at once"));
    rows.add(at(run, touched + 10 * SECOND, "after 10 s"));
    run.time.at(touched + MINUTES * minute, () -> run.fleet.decide(0, request));
    rows.add(
        at(
            run,
            touched + MINUTES * minute + SECOND,
            "after %d min, and one more request".formatted(MINUTES)));
    return rows;
  }

  private static LedgerGrowth at(SparseRun run, long nanos, String after) {
    run.time.runUntil(nanos);
    byte[] row = run.ledgers.rows().values().iterator().next();
    KeyLedger ledger = KeyLedgerCodec.read(row);
    int cells = ledger.holders().stream().mapToInt(holder -> holder.cells().size()).sum();
    return new LedgerGrowth(after, ledger.holders().size(), cells, row.length);
  }
}
