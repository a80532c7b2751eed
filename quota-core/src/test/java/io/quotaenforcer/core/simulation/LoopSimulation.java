package io.quotaenforcer.core.simulation;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.ledger.KeyLedger;
import io.quotaenforcer.core.ledger.Ledger;
import io.quotaenforcer.core.ledger.LedgerOutcome;
import io.quotaenforcer.core.ledger.LedgerSettings;
import io.quotaenforcer.core.ledger.WindowCount;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaAnswer;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.QuotaUsage;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * The real ledger and allotment books of several instances under a simulated network, in one
 * thread: messages are delayed, lost, repeated and reordered as the seed has it.
 */
public final class LoopSimulation {
  static final long MILLI = 1_000_000L;
  static final long START = 1_700_000_000_000_000_000L;

  private final Rule rule;
  private final Ledger ledger;
  private final LedgerSettings ledgerSettings = LedgerSettings.defaults(10);
  private final BookSettings bookSettings = BookSettings.defaults();
  private final Map<QuotaKey, KeyLedger> ledgers = new HashMap<>();
  private final Map<QuotaKey, Map<Long, Long>> counted = new HashMap<>();
  private final List<Instance> instances = new ArrayList<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final SplittableRandom random;
  private final Network network;
  public final List<Admission> admissions = new ArrayList<>();
  public long requested;
  public long throttled;
  private long now = START;
  private long sequence;

  /** What the network does to a message. */
  public record Network(long delayNanos, double loss, double repeat) {}

  /** An admitted request as the oracle sees it, in true time. */
  public record Admission(long atNanos, QuotaKey key, long cost, long windowStartNanos) {}

  private record Event(long at, long order, Runnable run) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  public LoopSimulation(Rule rule, int count, Network network, long seed) {
    this.rule = rule;
    this.network = network;
    this.random = new SplittableRandom(seed);
    this.ledger = new Ledger(ledgerSettings);
    for (int i = 0; i < count; i++) {
      start(i);
    }
  }

  /** Sends requests of an instance's clients at random times, {@code perSecond} on average. */
  public void load(int instance, String user, double perSecond, long untilNanos) {
    long next = now + (long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond);
    if (next < START + untilNanos) {
      at(
          next,
          () -> {
            instances.get(instance).request(user);
            load(instance, user, perSecond, untilNanos);
          });
    }
  }

  /** The instance stops at once; what it did not report is never heard of. */
  public void crash(int instance, long atNanos) {
    at(START + atNanos, () -> instances.get(instance).alive = false);
  }

  public void run(long untilNanos) {
    while (!events.isEmpty() && events.peek().at <= START + untilNanos) {
      Event event = events.poll();
      now = event.at;
      event.run.run();
    }
  }

  /** Stops every instance in order and delivers what is on its way. */
  public void settle() {
    for (Instance instance : instances) {
      instance.closing = true;
      instance.send(instance.book.close(instance.clock()));
    }
    run(now - START + 5_000 * MILLI);
  }

  public boolean isSettled() {
    return instances.stream().allMatch(instance -> !instance.alive || instance.book.isSettled());
  }

  public long counted() {
    return counted.values().stream()
        .flatMap(windows -> windows.values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  public long now() {
    return now;
  }

  private void start(int index) {
    Instance instance = new Instance(index);
    instances.add(instance);
    instance.book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, 10), instance.clock());
    instance.book.applyRules(RuleSet.of(List.of(rule)), instance.clock());
    instance.tick();
  }

  private void at(long time, Runnable run) {
    events.add(new Event(time, sequence++, run));
  }

  private void deliver(Runnable run) {
    int copies = random.nextDouble() < network.loss ? 0 : 1;
    copies += random.nextDouble() < network.repeat ? 1 : 0;
    for (int i = 0; i < copies; i++) {
      at(now + (long) (network.delayNanos * (0.5 + random.nextDouble())), run);
    }
  }

  private void handle(UsageReport report, Instance from) {
    List<QuotaAnswer> answers = new ArrayList<>();
    for (QuotaUsage usage : report.quotas()) {
      KeyLedger before = ledgers.get(usage.quotaKey());
      if (before == null) {
        before = ledger.open(rule, rule.limitOf(usage.quotaKey()), 0, now);
      }
      LedgerOutcome outcome = ledger.apply(before, rule, report, usage, 0, now);
      ledgers.put(usage.quotaKey(), outcome.ledger());
      outcome.answer().ifPresent(answers::add);
      for (WindowCount count : outcome.counts()) {
        counted
            .computeIfAbsent(usage.quotaKey(), k -> new HashMap<>())
            .merge(count.windowStartNanos(), count.used(), Long::sum);
      }
    }
    QuotaSnapshot snapshot =
        new QuotaSnapshot(report.instance(), report.epoch(), 0, report.sentNanos(), now, answers);
    deliver(
        () -> {
          if (from.alive) {
            from.book.applySnapshot(snapshot, from.clock());
          }
        });
  }

  private final class Instance {
    final int index;
    final long clockOffset;
    final AllotmentBook book;
    boolean alive = true;
    boolean closing;

    Instance(int index) {
      this.index = index;
      this.clockOffset = random.nextLong(1L << 40);
      this.book = new AllotmentBook(bookSettings, 10, clockOffset);
    }

    long clock() {
      return now - clockOffset;
    }

    void request(String user) {
      if (!alive || closing) {
        return;
      }
      requested++;
      Decision decision = book.decide(Request.of("user", user), clock());
      if (decision.admitted()) {
        RuleDecision by = decision.rule().orElseThrow();
        admissions.add(new Admission(now, by.quotaKey(), 1, by.windowStartNanos()));
      } else {
        throttled++;
      }
    }

    void tick() {
      if (alive) {
        send(book.reports(clock()));
        at(now + bookSettings.urgentIntervalNanos(), this::tick);
      }
    }

    void send(List<PartitionReport> reports) {
      for (PartitionReport report : reports) {
        UsageReport message =
            new UsageReport(
                "instance-" + index, index, clock(), report.loopNanos(), 0, report.quotas());
        deliver(() -> handle(message, this));
      }
    }
  }
}
