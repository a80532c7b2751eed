package io.quotaenforcer.enforcer.topology;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Work deferred to the end of each transaction, while it is still open, so that frequent changes
 * are written once. Work belongs to the stream thread on which it was begun, as transactions do,
 * and is done there. An aborted transaction discards its work.
 */
public final class BeforeCommit {
  private final ThreadLocal<Map<Object, Work>> works = ThreadLocal.withInitial(LinkedHashMap::new);

  /** Done before each commit. */
  @FunctionalInterface
  interface Work {
    void finish(Outlet transaction);

    /** Runs after all other work of the thread: for work that must be as late as possible. */
    default void finishLast() {}
  }

  /** Sends records in the transaction that is about to be committed. */
  @FunctionalInterface
  interface Outlet {
    void send(String topic, int partition, byte[] key, byte[] value);
  }

  /** Registers work on the calling thread, in place of the owner's earlier work. */
  void begin(Object owner, Work work) {
    works.get().put(owner, work);
  }

  void end(Object owner) {
    works.get().remove(owner);
  }

  /** The calling thread is about to commit. */
  void finish(Outlet transaction) {
    works.get().values().forEach(work -> work.finish(transaction));
    works.get().values().forEach(Work::finishLast);
  }
}
