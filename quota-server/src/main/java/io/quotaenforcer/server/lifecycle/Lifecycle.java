package io.quotaenforcer.server.lifecycle;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a program's resources once, in reverse order of opening: at its end, or earlier when a
 * signal (Ctrl-C, SIGTERM) ends it.
 *
 * <p>All closing together has a deadline; resources still open by then are left to the end of the
 * process. A failure to close one does not keep the rest from closing.
 */
public final class Lifecycle implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Lifecycle.class);

  private final Duration deadline;
  private final Deque<Resource> resources = new ArrayDeque<>();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;
  private boolean closing;

  /** Something that is open. */
  private record Resource(String name, AutoCloseable closeable) {}

  private Lifecycle(Duration deadline) {
    this.deadline = deadline;
    this.hook = new Thread(this::close, "quota-shutdown");
  }

  /** Begins to listen for signals. */
  public static Lifecycle start(Duration deadline) {
    Lifecycle lifecycle = new Lifecycle(deadline);
    Runtime.getRuntime().addShutdownHook(lifecycle.hook);
    return lifecycle;
  }

  /**
   * Takes over the closing of a resource.
   *
   * @throws EndingException when the program is ending; the resource is closed then
   */
  public <T extends AutoCloseable> T add(String name, T resource) {
    synchronized (resources) {
      if (!closing) {
        resources.push(new Resource(name, resource));
        return resource;
      }
    }
    close(new Resource(name, resource));
    throw new EndingException("the program is ending: " + name + " was closed again", null);
  }

  /**
   * Opens a resource and takes over its closing. When the program is to end meanwhile, the opening
   * is interrupted and waited for, and anything it opened nevertheless is closed.
   *
   * @throws EndingException when the program is ending; nothing is opened then
   */
  public <T extends AutoCloseable> T open(String name, Supplier<T> opening) {
    return add(name, new Opening<T>(name)).run(opening);
  }

  /** Waits until the program is to end. */
  public void awaitStop() throws InterruptedException {
    stopping.await();
  }

  /** Waits until the program is to end; false if {@code atMost} passes first. */
  public boolean awaitStop(Duration atMost) throws InterruptedException {
    return stopping.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Ends the waiting. */
  public void stop() {
    stopping.countDown();
  }

  /** Closes everything, or waits until another caller has done so. */
  @Override
  public void close() {
    stopping.countDown();
    boolean first;
    synchronized (resources) {
      first = !closing;
      closing = true;
    }
    if (first) {
      Thread closer = new Thread(this::closeAll, "quota-close");
      closer.setDaemon(true);
      closer.start();
    }
    try {
      if (!closed.await(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("not everything closed within {} s", deadline.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    forgetHook();
  }

  private void closeAll() {
    try {
      while (true) {
        Resource next;
        synchronized (resources) {
          if (resources.isEmpty()) {
            break;
          }
          next = resources.pop();
        }
        close(next);
      }
    } finally {
      closed.countDown();
    }
  }

  private static void close(Resource resource) {
    try {
      resource.closeable().close();
    } catch (Throwable e) {
      // An Error, too: of a class that a replaced jar no longer has, for one.
      log.warn("could not close {}", resource.name(), e);
    }
  }

  private void forgetHook() {
    if (Thread.currentThread() == hook) {
      return;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook waits for the same closing.
    }
  }
}
