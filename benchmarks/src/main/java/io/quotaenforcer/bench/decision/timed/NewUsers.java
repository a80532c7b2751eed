package io.quotaenforcer.bench.decision.timed;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Users whom nobody has seen before, as many as a thread needs until the next setup. */
@State(Scope.Thread)
public class NewUsers {
  /** Requests that are timed together. */
  public static final int BATCH = 5_000;

  private static final AtomicInteger BATCHES = new AtomicInteger();

  private final String[] names = new String[BATCH];
  private int next;

  @Setup(Level.Iteration)
  public void prepare() {
    int batch = BATCHES.incrementAndGet();
    for (int i = 0; i < BATCH; i++) {
      names[i] = "new-%05d-%05d".formatted(batch, i);
    }
    next = 0;
  }

  String next() {
    return names[next++];
  }
}
