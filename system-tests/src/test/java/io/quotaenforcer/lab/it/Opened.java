package io.quotaenforcer.lab.it;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes whatever a test opened, the last first. */
final class Opened implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  void add(AutoCloseable resource) {
    opened.push(resource);
  }

  @Override
  public void close() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }
}
