package io.quotaenforcer.broker;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a broker that fails from ending the whole process.
 *
 * <p>Kafka's broker ends its process silently when it cannot go on. While a broker runs embedded,
 * that call ends the calling thread instead and tells the broker whose thread it is: each broker's
 * threads, and those that they start, are a group of their own.
 */
final class BrokerFaults {
  private static final Set<Threads> LISTENING = ConcurrentHashMap.newKeySet();

  private BrokerFaults() {}

  /** The threads of one broker. */
  static final class Threads extends ThreadGroup {
    private final Consumer<String> listener;

    /**
     * @param listener told, by the failing thread, why the broker gave up
     */
    Threads(Consumer<String> listener) {
      super("embedded-broker");
      this.listener = listener;
    }

    /** Runs the work on a new thread of the group. */
    Thread start(String name, Runnable work) {
      Thread thread = new Thread(this, work, name);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }
  }

  /** Ends the thread on which a broker gave up. */
  private static final class BrokerStopped extends Error {
    private static final long serialVersionUID = 1L;

    BrokerStopped(String message) {
      super(message);
    }
  }

  static synchronized void listen(Threads threads) {
    LISTENING.add(threads);
    Exit.setExitProcedure(BrokerFaults::stopped);
    Exit.setHaltProcedure(BrokerFaults::stopped);
  }

  static synchronized void unlisten(Threads threads) {
    LISTENING.remove(threads);
    if (LISTENING.isEmpty()) {
      Exit.resetExitProcedure();
      Exit.resetHaltProcedure();
    }
  }

  private static void stopped(int status, @Nullable String message) {
    String reason = message == null ? "status " + status : message;
    Threads ofBroker = threadsOfCaller();
    if (ofBroker == null) {
      // A thread shared by the whole process: it may belong to any broker.
      LISTENING.forEach(threads -> threads.listener.accept(reason));
    } else if (LISTENING.contains(ofBroker)) {
      ofBroker.listener.accept(reason);
    }
    throw new BrokerStopped("the embedded broker stopped: " + reason);
  }

  private static @Nullable Threads threadsOfCaller() {
    for (@Nullable ThreadGroup group = Thread.currentThread().getThreadGroup();
        group != null;
        group = group.getParent()) {
      if (group instanceof Threads threads) {
        return threads;
      }
    }
    return null;
  }
}
