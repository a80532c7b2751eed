package io.quotaenforcer.bench.accuracy.innocents;

import io.quotaenforcer.bench.process.ParentProgram;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * An instance as a process. It answers 1 when it has its rules; then it is told of loads again and
 * again (users, seconds, seed, names, when it starts in epoch nanoseconds), and answers each with
 * its log. It ends when its input does.
 */
public final class RealInstanceMain {
  private static final Duration RULES_TIMEOUT = Duration.ofSeconds(30);

  private final AdmissionClient client;
  private final int index;
  private final LongAdder loops = new LongAdder();
  private final LongAdder loopNanos = new LongAdder();
  private final long offsetNanos;

  private RealInstanceMain(String bootstrapServers, int index) {
    this.index = index;
    Clocks clocks = Clocks.system();
    offsetNanos = clocks.epochNanos().getAsLong() - clocks.monotonicNanos().getAsLong();
    client =
        AdmissionClient.builder()
            .bootstrapServers(bootstrapServers)
            .domains(Visitors.DOMAIN)
            .instance("innocents-" + index)
            .clocks(clocks)
            .telemetry(
                new ClientTelemetry() {
                  @Override
                  public void answered(int partition, int quotas, long nanos) {
                    loops.increment();
                    loopNanos.add(nanos);
                  }
                })
            .build();
  }

  /** Arguments: bootstrap servers, index. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    ParentProgram parent = ParentProgram.connect();
    DataInputStream in = parent.orders();
    DataOutputStream out = parent.answers();
    RealInstanceMain instance = new RealInstanceMain(arguments[0], Integer.parseInt(arguments[1]));
    try {
      out.writeBoolean(instance.client.awaitRules(RULES_TIMEOUT));
      out.flush();
      while (true) {
        RealLoad load = new RealLoad(in.readInt(), in.readDouble(), in.readLong(), in.readUTF());
        List<RealLoad.Due> due = load.of(instance.index);
        out.writeBoolean(true);
        out.flush();
        instance.run(due, in.readLong()).write(out);
        out.flush();
      }
    } catch (EOFException e) {
      // It is no longer needed.
    } finally {
      instance.client.close();
    }
  }

  private RealLog run(List<RealLoad.Due> due, long startEpochNanos) {
    loops.reset();
    loopNanos.reset();
    long start = startEpochNanos - offsetNanos;
    List<CompletableFuture<RealLog.Entry>> entries = new ArrayList<>(due.size());
    for (RealLoad.Due each : due) {
      await(start + each.atNanos());
      entries.add(ask(each));
    }
    List<RealLog.Entry> decided = entries.stream().map(CompletableFuture::join).toList();
    return new RealLog(decided, loopNanos.sum() / Math.max(1.0, loops.sum()));
  }

  private CompletableFuture<RealLog.Entry> ask(RealLoad.Due due) {
    long asked = System.nanoTime();
    int waitMillis = RealLoad.CASES.get(due.of()).waitMillis();
    if (waitMillis == 0) {
      Decision decision = client.decide(due.request());
      return CompletableFuture.completedFuture(entry(due, asked, asked, decision));
    }
    CompletableFuture<Decision> decision =
        client.decideAsync(due.request(), Duration.ofMillis(waitMillis), Runnable::run);
    // What was decided at once has not waited, however long that took.
    boolean atOnce = decision.isDone();
    return decision.thenApply(it -> entry(due, asked, atOnce ? asked : System.nanoTime(), it));
  }

  private RealLog.Entry entry(RealLoad.Due due, long asked, long decided, Decision decision) {
    long window =
        decision.admitted() ? decision.rule().map(RuleDecision::windowStartNanos).orElse(0L) : 0;
    return new RealLog.Entry(
        due.of(),
        due.user(),
        asked + offsetNanos,
        decided + offsetNanos,
        decision.admitted(),
        window);
  }

  private static void await(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
