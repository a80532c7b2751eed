package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import java.util.ArrayDeque;
import java.util.Queue;

/** Answers that wait until their contents are committed. */
final class LaterAnswers {
  private final DeferralOutput output;
  private final Queue<Later> waiting = new ArrayDeque<>();

  private record Later(ReplyTo to, DeferralAnswer answer, long commits) {}

  LaterAnswers(DeferralOutput output) {
    this.output = output;
  }

  void add(ReplyTo to, DeferralAnswer answer) {
    if (to.partition() >= 0) {
      waiting.add(new Later(to, answer, output.commits()));
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Sends those that are committed. */
  void send() {
    long commits = output.commits();
    while (!waiting.isEmpty() && waiting.element().commits < commits) {
      Later next = waiting.remove();
      output.answer(next.to, next.answer);
    }
  }
}
