package io.quotaenforcer.bench.gateway.load;

/** Sends requests to a server, and does not wait for their answers. Safe for use by any thread. */
public interface Caller extends AutoCloseable {
  /** How a request ended. */
  enum Answer {
    ADMITTED,
    REFUSED,
    FAILED
  }

  /** Gets an answer, in a thread that it must not hold up. */
  interface Receiver {
    void received(Answer answer);
  }

  void call(int user, Receiver receiver);

  @Override
  void close();
}
