package io.quotaenforcer.enforcer.deferral;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** A box that is open from the first and has what a test puts in; and an inbox of this one box. */
public final class OpenBox implements SnapshotInbox, SnapshotInbox.Box {
  private final Queue<Received> received = new ArrayDeque<>();
  private final Runnable whenClosed;

  public OpenBox() {
    this(() -> {});
  }

  /**
   * @param whenClosed is told
   */
  public OpenBox(Runnable whenClosed) {
    this.whenClosed = whenClosed;
  }

  public void add(byte[] value, long monotonicNanos) {
    received.add(new Received(value, monotonicNanos));
  }

  @Override
  public Box open(byte[] snapshotKey) {
    return this;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public int partition(int partitions) {
    return 0;
  }

  @Override
  public @Nullable Received poll() {
    return received.poll();
  }

  @Override
  public void close() {
    whenClosed.run();
  }
}
