package io.quotaenforcer.enforcer.embedded;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a broker that fails from ending the whole process.
 *
 * <p>Kafka's broker ends its process, without a word, when it cannot go on. While a broker runs
 * embedded, that call ends the calling thread instead and tells every embedded broker: Kafka does
 * not say which of them it was.
 */
final class BrokerFaults {
  private static final Set<Consumer<String>> LISTENERS = ConcurrentHashMap.newKeySet();

  private BrokerFaults() {}

  /** Ends the thread on which a broker gave up. */
  private static final class BrokerStopped extends Error {
    private static final long serialVersionUID = 1L;

    BrokerStopped(String message) {
      super(message);
    }
  }

  static synchronized void listen(Consumer<String> listener) {
    LISTENERS.add(listener);
    Exit.setExitProcedure(BrokerFaults::stopped);
    Exit.setHaltProcedure(BrokerFaults::stopped);
  }

  static synchronized void unlisten(Consumer<String> listener) {
    LISTENERS.remove(listener);
    if (LISTENERS.isEmpty()) {
      Exit.resetExitProcedure();
      Exit.resetHaltProcedure();
    }
  }

  private static void stopped(int status, @Nullable String message) {
    String reason = message == null ? "status " + status : message;
    LISTENERS.forEach(listener -> listener.accept(reason));
    throw new BrokerStopped("the embedded broker stopped: " + reason);
  }
}
