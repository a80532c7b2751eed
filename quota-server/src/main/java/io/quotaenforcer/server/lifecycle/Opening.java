package io.quotaenforcer.server.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A resource that is being opened. Made by the thread that opens it. */
final class Opening<T extends AutoCloseable> implements AutoCloseable {
  private final String name;
  private final Thread opener = Thread.currentThread();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean interrupted;
  private volatile @Nullable T resource;

  Opening(String name) {
    this.name = name;
  }

  T run(Supplier<T> opening) {
    try {
      T opened = opening.get();
      resource = opened;
      return opened;
    } catch (RuntimeException e) {
      if (interrupted) {
        throw new EndingException("the program is ending: " + name + " was not opened", e);
      }
      throw e;
    } finally {
      ended.countDown();
    }
  }

  /** Closes the resource if it is open; interrupts an opening under way, and waits for its end. */
  @Override
  public void close() throws Exception {
    if (ended.getCount() > 0) {
      interrupted = true;
      opener.interrupt();
    }
    ended.await();
    T opened = resource;
    if (opened != null) {
      opened.close();
    }
  }
}
