package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.bench.process.ChildJvm;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.enforcer.embedded.EmbeddedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Every case with three instances, each a process, on a real broker and enforcer: all at the same
 * time, with users of their own.
 *
 * @param users of each case
 */
public record RealInnocents(int users, double seconds, double warmUpSeconds, long seed) {
  private static final RealInnocents QUICK = new RealInnocents(150, 10, 4, 0);
  private static final RealInnocents USUAL = new RealInnocents(400, 90, 6, 0);
  private static final long LEAD_NANOS = 200_000_000L;
  private static final int HEAP_MEBIBYTES = 128;
  private static final List<String> FLAGS = List.of("-XX:TieredStopAtLevel=1");

  /** As the benchmark has it; quick: only some users come, for a few seconds. */
  public static RealInnocents of(boolean quick, long seed) {
    RealInnocents some = quick ? QUICK : USUAL;
    return new RealInnocents(some.users, some.seconds, some.warmUpSeconds, seed);
  }

  /** Measures those whose names are wanted; none is run if none is. */
  public List<InnocentsRow> run(Predicate<String> wanted) throws InterruptedException {
    List<Case> cases = RealLoad.CASES.stream().filter(of -> wanted.test(of.name())).toList();
    if (cases.isEmpty()) {
      return List.of();
    }
    RealLoad load = new RealLoad(users, seconds, seed, "user-");
    RealLoad warmUp = new RealLoad(users, warmUpSeconds, seed, "warm-up-");
    LongSupplier clock = Clocks.system().epochNanos();
    try (EmbeddedCluster cluster =
        EmbeddedCluster.start(RealLoad.INSTANCES, load.rules(), EmbeddedCluster.settings(clock))) {
      List<ChildJvm> instances = new ArrayList<>();
      try {
        for (int i = 0; i < RealLoad.INSTANCES; i++) {
          instances.add(start(cluster, i));
        }
        awaitReady(instances);
        ask(instances, warmUp, clock);
        return rows(load, ask(instances, load, clock)).stream()
            .filter(row -> cases.contains(row.of()))
            .toList();
      } finally {
        instances.parallelStream().forEach(ChildJvm::close);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("an instance as a process failed", e);
    }
  }

  private static ChildJvm start(EmbeddedCluster cluster, int index) throws IOException {
    return ChildJvm.start(
        RealInstanceMain.class,
        HEAP_MEBIBYTES,
        FLAGS,
        cluster.bootstrapServers(),
        Integer.toString(index));
  }

  private static List<RealLog> ask(List<ChildJvm> instances, RealLoad load, LongSupplier clock)
      throws IOException {
    for (ChildJvm instance : instances) {
      instance.orders().writeInt(load.users());
      instance.orders().writeDouble(load.seconds());
      instance.orders().writeLong(load.seed());
      instance.orders().writeUTF(load.names());
      instance.orders().flush();
    }
    awaitReady(instances);
    long start = clock.getAsLong() + LEAD_NANOS;
    for (ChildJvm instance : instances) {
      instance.orders().writeLong(start);
      instance.orders().flush();
    }
    List<RealLog> logs = new ArrayList<>();
    for (ChildJvm instance : instances) {
      logs.add(RealLog.read(instance.answers()));
    }
    return logs;
  }

  private static void awaitReady(List<ChildJvm> instances) throws IOException {
    for (ChildJvm instance : instances) {
      if (!instance.answers().readBoolean()) {
        throw new IllegalStateException("an instance has no rules");
      }
    }
  }

  private List<InnocentsRow> rows(RealLoad load, List<RealLog> logs) {
    double loopNanos = logs.stream().mapToDouble(RealLog::loopNanos).average().orElse(0);
    List<RealLog.Entry> entries = logs.stream().flatMap(log -> log.entries().stream()).toList();
    List<InnocentsRow> rows = new ArrayList<>();
    for (int i = 0; i < RealLoad.CASES.size(); i++) {
      int of = i;
      Case each = RealLoad.CASES.get(i);
      Judge judge =
          judge(
              each.kind(),
              load.visitors(i),
              entries.stream().filter(entry -> entry.of() == of).toList(),
              loopNanos);
      rows.add(InnocentsRow.of(each, "real", seed, load.seconds(), loopNanos / 1e6, judge));
    }
    return rows;
  }

  private record Moment(long atNanos, Runnable judged) {}

  /** Puts what was asked and decided in the order of their clock reads. */
  static Judge judge(
      LimitKind kind, Visitors visitors, List<RealLog.Entry> entries, double loopNanos) {
    long first = entries.stream().mapToLong(RealLog.Entry::askedNanos).min().orElse(0);
    Judge judge = new Judge(kind, visitors, first);
    boolean[] allowed = new boolean[entries.size()];
    List<Moment> moments = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      int number = i;
      RealLog.Entry entry = entries.get(i);
      moments.add(
          new Moment(
              entry.askedNanos(),
              () -> {
                allowed[number] = judge.asked(entry.user(), entry.askedNanos(), loopNanos);
                if (entry.decidedNanos() == entry.askedNanos()) {
                  decided(judge, entry, allowed[number]);
                }
              }));
      if (entry.decidedNanos() > entry.askedNanos()) {
        moments.add(new Moment(entry.decidedNanos(), () -> decided(judge, entry, allowed[number])));
      }
    }
    moments.sort(Comparator.comparingLong(Moment::atNanos));
    moments.forEach(moment -> moment.judged.run());
    return judge;
  }

  private static void decided(Judge judge, RealLog.Entry entry, boolean allowed) {
    judge.decided(
        entry.user(),
        allowed,
        entry.admitted(),
        entry.windowStart(),
        entry.askedNanos(),
        entry.decidedNanos());
  }
}
