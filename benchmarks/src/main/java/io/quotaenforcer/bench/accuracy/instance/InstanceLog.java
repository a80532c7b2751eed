package io.quotaenforcer.bench.accuracy.instance;

import io.quotaenforcer.core.PermitSource;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What one instance decided in a trial, and when; an entry per request, in order of decision.
 * Filled by one thread, then read.
 */
public final class InstanceLog {
  private static final PermitSource[] SOURCES = PermitSource.values();

  private final long[] dueNanos;
  private final long[] lateNanos;
  private final long[] tookNanos;
  private final long[] atNanos;
  private final long[] windowStartNanos;
  private final byte[] sources;
  private int size;
  private long cpuNanos;
  private long[] loopNanos = {};

  /**
   * @param capacity most requests
   */
  public InstanceLog(int capacity) {
    dueNanos = new long[capacity];
    lateNanos = new long[capacity];
    tookNanos = new long[capacity];
    atNanos = new long[capacity];
    windowStartNanos = new long[capacity];
    sources = new byte[capacity];
  }

  /** The decision of the next request; {@link #asked} completes it. */
  public void decided(long at, long windowStart, PermitSource source) {
    atNanos[size] = at;
    windowStartNanos[size] = windowStart;
    sources[size] = (byte) source.ordinal();
  }

  /**
   * A request was decided.
   *
   * @param due since the start
   * @param late how much later the instance came to it
   * @param took what the decision took the caller
   */
  public void asked(long due, long late, long took) {
    dueNanos[size] = due;
    lateNanos[size] = late;
    tookNanos[size] = took;
    size++;
  }

  /**
   * Processor time of the thread that asks, decisions included, and the loops that were measured.
   */
  public void ended(long cpu, long[] loops) {
    cpuNanos = cpu;
    loopNanos = loops.clone();
  }

  public int size() {
    return size;
  }

  public long dueNanos(int index) {
    return dueNanos[index];
  }

  public long lateNanos(int index) {
    return lateNanos[index];
  }

  public long tookNanos(int index) {
    return tookNanos[index];
  }

  /** The clock read of the decision, epoch time. */
  public long atNanos(int index) {
    return atNanos[index];
  }

  /** Window that the permit belongs to, epoch time; 0 for kinds without windows. */
  public long windowStartNanos(int index) {
    return windowStartNanos[index];
  }

  /** Where the permits came from; nowhere if it was throttled. */
  public PermitSource source(int index) {
    return SOURCES[sources[index]];
  }

  public long cpuNanos() {
    return cpuNanos;
  }

  public long[] loopNanos() {
    return loopNanos.clone();
  }

  void write(DataOutput to) throws IOException {
    to.writeInt(size);
    for (int i = 0; i < size; i++) {
      to.writeLong(dueNanos[i]);
      to.writeLong(lateNanos[i]);
      to.writeLong(tookNanos[i]);
      to.writeLong(atNanos[i]);
      to.writeLong(windowStartNanos[i]);
      to.writeByte(sources[i]);
    }
    to.writeLong(cpuNanos);
    to.writeInt(loopNanos.length);
    for (long nanos : loopNanos) {
      to.writeLong(nanos);
    }
  }

  /** What {@link InstanceMain} answers. */
  public static InstanceLog read(DataInput from) throws IOException {
    int size = from.readInt();
    InstanceLog log = new InstanceLog(size);
    for (int i = 0; i < size; i++) {
      long due = from.readLong();
      long late = from.readLong();
      long took = from.readLong();
      log.decided(from.readLong(), from.readLong(), SOURCES[from.readByte()]);
      log.asked(due, late, took);
    }
    long cpu = from.readLong();
    long[] loops = new long[from.readInt()];
    for (int i = 0; i < loops.length; i++) {
      loops[i] = from.readLong();
    }
    log.ended(cpu, loops);
    return log;
  }
}
