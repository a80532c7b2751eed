package io.quotaenforcer.bench.topology;

import io.quotaenforcer.core.DeclaredBound;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.CellGrant;
import io.quotaenforcer.core.message.CellUsage;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Real allotment books that take permits and report, at a time of their own, which runs as fast as
 * it can be computed. What grants to them is a stand-in that tops up each cell in use: what the
 * enforcer under test will grant is not known when its input is made. A cell that is reported while
 * it is in use the enforcer takes for one that it granted, and tops it up itself; of a key that
 * begins while reports are sent, its ledger has one that it grants itself besides.
 */
final class ReportingFleet {
  /** Requests of an instance between two of its reports: enough to fill their records. */
  private static final int REQUESTS_PER_ROUND = 8_000;

  private static final long SEED = 1;
  private static final int ROUNDS_TO_BEGIN = 60;
  private static final int ROUNDS_TO_SETTLE = 20;
  private static final long LEASE_NANOS = 2_000_000_000L;

  /** Permits beyond those taken, at least: what a client with few would ask for at once. */
  private static final long AHEAD = 4L * TopologyScale.REQUESTS_AT_ONCE;

  /** Seconds of its demand that an instance holds. */
  private static final double SECONDS_AHEAD = 0.2;

  /** Where a report goes. */
  interface Outlet {
    void send(int partition, byte[] report);
  }

  /** For reports that the enforcer does not hear of, so that they do not count. */
  private static final Outlet NOWHERE = (partition, report) -> {};

  private final Wire wire;
  private final Rule rule;
  private final List<QuotaKey> keys;
  private final Load load;
  private final int requestsPerRound;
  private final AllotmentBook[] books;

  /**
   * For each instance, permits taken of keys, from open cells that the enforcer has not heard of
   * yet.
   */
  private final List<Map<QuotaKey, Long>> untold = new ArrayList<>();

  private final SplittableRandom random;
  private final long roundNanos = BookSettings.defaults().reportIntervalNanos();
  private long now;
  private long updates;
  private long reports;
  private long permits;

  /**
   * @param scale how many keys and instances
   * @param startNanos epoch time
   */
  ReportingFleet(Wire wire, Rule rule, TopologyScale scale, Load load, long startNanos) {
    this.wire = wire;
    this.rule = rule;
    this.keys = IntStream.range(0, scale.keys()).mapToObj(CountedRule::key).toList();
    this.load = load;
    this.requestsPerRound = Math.min(REQUESTS_PER_ROUND, scale.keys());
    this.random = new SplittableRandom(SEED);
    this.now = startNanos;
    books = new AllotmentBook[scale.instances()];
    PrefixInfo prefix =
        new PrefixInfo(
            wire.topics().usage().partitions(),
            QuotaKey.HASH_VERSION,
            TopologyScale.MOST_INSTANCES);
    for (int i = 0; i < books.length; i++) {
      untold.add(new HashMap<>());
      books[i] = new AllotmentBook(BookSettings.defaults(), TopologyScale.MOST_INSTANCES, 0);
      books[i].applyPrefix(prefix, now);
      books[i].applyRules(RuleSet.of(List.of(rule)), now);
    }
  }

  /** Cells of reports so far, each counted each time that it was reported. */
  long updates() {
    return updates;
  }

  long reports() {
    return reports;
  }

  /** Permits that were taken of cells that are in reports: as many requests of cost 1. */
  long permits() {
    return permits
        - untold.stream().flatMap(keys -> keys.values().stream()).mapToLong(Long::longValue).sum();
  }

  /**
   * Requests before reports are sent, until nearly all keys of an even load have a cell, so that
   * what is sent is that of instances in the middle of their work.
   */
  void begin() {
    for (int i = 0; i < ROUNDS_TO_BEGIN; i++) {
      round(requestsPerRound, NOWHERE);
    }
  }

  /** Requests of all instances during one interval between reports, and the reports. */
  void round(Outlet outlet) {
    round(requestsPerRound, outlet);
  }

  /** Reports until everything that was taken is in one. */
  void settle(Outlet outlet) {
    rest(ROUNDS_TO_SETTLE, outlet);
  }

  /** Sends the reports of some intervals without requests. */
  void rest(int rounds, Outlet outlet) {
    for (int i = 0; i < rounds; i++) {
      round(0, outlet);
    }
  }

  private void round(int requests, Outlet outlet) {
    now += roundNanos;
    for (int i = 0; i < books.length; i++) {
      for (int request = 0; request < requests; request++) {
        QuotaKey key = keys.get(load.key(random, keys.size()));
        if (books[i].permits(rule, key).tryAcquire(TopologyScale.REQUESTS_AT_ONCE, now)) {
          permits += TopologyScale.REQUESTS_AT_ONCE;
        }
      }
      for (PartitionReport whole : books[i].reports(now)) {
        for (PartitionReport part : whole.parts()) {
          report(i, part, outlet);
        }
      }
    }
  }

  private void report(int instance, PartitionReport part, Outlet outlet) {
    String name = "posts-7c9f6d5b84-%05d".formatted(instance);
    long epoch = 0x5eed_0000_0000_0000L + instance;
    int replyPartition = instance % wire.topics().snapshots().partitions();
    if (outlet == NOWHERE) {
      for (QuotaUsage usage : part.quotas()) {
        permits -= used(usage, true);
        untold.get(instance).put(usage.quotaKey(), used(usage, false));
      }
    } else {
      byte[] record =
          wire.encode(
              new UsageReport(name, epoch, now, part.loopNanos(), replyPartition, part.quotas()));
      outlet.send(part.partition(), record);
      reports++;
      for (QuotaUsage usage : part.quotas()) {
        updates += usage.cells().size();
        untold.get(instance).remove(usage.quotaKey());
      }
    }
    List<QuotaAnswer> answers = new ArrayList<>(part.quotas().size());
    for (QuotaUsage usage : part.quotas()) {
      answers.add(answer(usage));
    }
    books[instance].applySnapshot(
        new QuotaSnapshot(name, epoch, part.partition(), now, now, answers), now);
  }

  /** Permits of cells that are closed, and settled by the next answer, or of those that are not. */
  private static long used(QuotaUsage usage, boolean closed) {
    return usage.cells().stream()
        .filter(cell -> cell.closed() == closed)
        .mapToLong(CellUsage::used)
        .sum();
  }

  private QuotaAnswer answer(QuotaUsage usage) {
    List<Long> settled =
        usage.cells().stream().filter(CellUsage::closed).map(CellUsage::id).toList();
    return new QuotaAnswer(
        usage.quotaKey(),
        usage.generation(),
        rule.limit().permits(),
        0,
        rule.limit().permits(),
        now,
        rule.limit().permits(),
        0,
        DeclaredBound.NOTHING,
        false,
        grant(usage).stream().toList(),
        settled);
  }

  /** The grant of the cell in use, or else, if there are requests, of a new one. */
  private Optional<CellGrant> grant(QuotaUsage usage) {
    Optional<CellUsage> open =
        usage.cells().stream().filter(cell -> cell.id() > 0 && !cell.closed()).findFirst();
    if (open.isEmpty() && usage.demandPerSecond() == 0) {
      return Optional.empty();
    }
    long ahead = Math.max(AHEAD, (long) (SECONDS_AHEAD * usage.demandPerSecond()));
    // As the ledger does: a cell that follows a closed one has a higher id.
    long id = open.map(CellUsage::id).orElse(now);
    long granted = open.map(cell -> Math.max(cell.granted(), cell.taken() + ahead)).orElse(ahead);
    return Optional.of(new CellGrant(id, 0, granted, 0, now + LEASE_NANOS));
  }
}
