package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.Charge;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.allotment.AllotmentBook;
import io.quotaenforcer.core.allotment.BookSettings;
import io.quotaenforcer.core.allotment.PartitionReport;
import io.quotaenforcer.core.message.PrefixInfo;
import io.quotaenforcer.core.message.QuotaSnapshot;
import io.quotaenforcer.core.message.UsageReport;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Instances' own books, reporting to the real topology and fed with its answers. */
final class BookFleet {
  private static final int MAX_INSTANCES = 10;
  private static final Duration STEP = Duration.ofMillis(10);

  private final TopologyFixture topology;
  private final List<AllotmentBook> books = new ArrayList<>();

  BookFleet(TopologyFixture topology, int instances, Rule... rules) {
    this.topology = topology;
    for (int i = 0; i < instances; i++) {
      AllotmentBook book = new AllotmentBook(BookSettings.defaults(), MAX_INSTANCES, 0);
      book.applyPrefix(new PrefixInfo(1, QuotaKey.HASH_VERSION, MAX_INSTANCES), now());
      book.applyRules(RuleSet.of(List.of(rules)), now());
      books.add(book);
    }
  }

  int size() {
    return books.size();
  }

  Decision decide(int instance, Request request) {
    return books.get(instance).decide(request, now());
  }

  Charge charge(int instance, Request request) {
    return books.get(instance).charge(request, now());
  }

  void settle(Charge charge, long actual) {
    charge.settle(actual, now());
  }

  /** One step of every instance's loop, and of the enforcer's. */
  void step() {
    for (int i = 0; i < books.size(); i++) {
      for (PartitionReport report : books.get(i).reports(now())) {
        send(i, report);
      }
    }
    topology.run(STEP);
    for (QuotaSnapshot snapshot : topology.snapshots()) {
      books.get(Integer.parseInt(snapshot.instance())).applySnapshot(snapshot, now());
    }
  }

  void run(Duration time) {
    for (long step = 0; step < time.toMillis() / STEP.toMillis(); step++) {
      step();
    }
  }

  private void send(int instance, PartitionReport report) {
    String name = Integer.toString(instance);
    topology.send(
        topology.wire.topics().usage().name(),
        name.getBytes(StandardCharsets.UTF_8),
        topology.wire.encode(
            new UsageReport(name, 1, now(), report.loopNanos(), 0, report.quotas())));
  }

  private long now() {
    return topology.epochNanos();
  }
}
