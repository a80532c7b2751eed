package io.quotaenforcer.gateway;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The requests of all clients whose headers have come and whose end has not, with bounds on their
 * time and on the bytes kept for them, all together. Where there is no room for more bytes, the
 * oldest are ended: those of honest clients take milliseconds. Safe for use by any number of
 * threads.
 */
final class UnfinishedRequests {
  /** About what a stream and its headers take, without a byte of a body. */
  static final int BYTES_PER_REQUEST = 4 << 10;

  /** Added to each piece of a body, which is kept in an object of its own. */
  static final int BYTES_PER_PIECE = 256;

  private static final long MOST_BYTES = 32 << 20;
  private static final Duration AT_MOST = Duration.ofSeconds(10);

  private final long mostBytes;
  private final Duration atMost;
  private final LongSupplier nanoClock;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final ConcurrentSkipListMap<Long, Request> oldestFirst = new ConcurrentSkipListMap<>();

  /**
   * @param atMost from a request's headers to its end
   */
  UnfinishedRequests(long mostBytes, Duration atMost, LongSupplier nanoClock) {
    this.mostBytes = mostBytes;
    this.atMost = atMost;
    this.nanoClock = nanoClock;
  }

  /** With a gateway's bounds. */
  static UnfinishedRequests ofGateway() {
    return new UnfinishedRequests(MOST_BYTES, AT_MOST, System::nanoTime);
  }

  /**
   * The headers of a request have come.
   *
   * @param ending ends it; may be called by any thread
   */
  Request begin(Runnable ending) {
    Request request = new Request(begun.getAndIncrement(), nanoClock.getAsLong(), ending);
    oldestFirst.put(request.number, request);
    request.keep(BYTES_PER_REQUEST);
    return request;
  }

  /** Ends those that take too long; to be called every second or so. */
  void endOld() {
    long now = nanoClock.getAsLong();
    for (Request request : oldestFirst.values()) {
      if (now - request.sinceNanos < atMost.toNanos()) {
        return;
      }
      request.end();
    }
  }

  long bytes() {
    return bytes.get();
  }

  private void makeRoom() {
    while (bytes.get() > mostBytes) {
      Map.Entry<Long, Request> oldest = oldestFirst.pollFirstEntry();
      if (oldest == null) {
        return;
      }
      oldest.getValue().end();
    }
  }

  /** One of them. */
  final class Request {
    private final long number;
    private final long sinceNanos;
    private final Runnable ending;
    private long kept;
    private boolean isOver;

    private Request(long number, long sinceNanos, Runnable ending) {
      this.number = number;
      this.sinceNanos = sinceNanos;
      this.ending = ending;
    }

    /** A piece of its body has come. */
    void came(long length) {
      keep(length + BYTES_PER_PIECE);
    }

    private void keep(long length) {
      synchronized (this) {
        if (isOver) {
          return;
        }
        kept += length;
        bytes.addAndGet(length);
      }
      makeRoom();
    }

    /** All of it has come, or no more will. */
    void finished() {
      release();
    }

    private void end() {
      if (release()) {
        ending.run();
      }
    }

    private boolean release() {
      synchronized (this) {
        if (isOver) {
          return false;
        }
        isOver = true;
        bytes.addAndGet(-kept);
      }
      oldestFirst.remove(number);
      return true;
    }
  }
}
