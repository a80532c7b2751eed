package io.quotaenforcer.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.client.internal.kafka.DeferralWriter;
import io.quotaenforcer.client.internal.replay.Acknowledgements;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.schemas.topic.Identity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Replays of which the enforcer is asked whether they are acknowledged. It is asked again after a
 * second, and ever later up to a minute, since a question or its answer may be lost. Holds no more
 * than who asks has read. No thread waits.
 */
final class ReplayQuestions implements Acknowledgements {
  static final long FIRST_PAUSE_NANOS = 1_000_000_000L;
  static final long LONGEST_PAUSE_NANOS = 60 * FIRST_PAUSE_NANOS;

  private final Identity identity;
  private final Predicate<DeferralWriter.Item> outbox;
  private final Clocks clocks;

  @GuardedBy("this")
  private final Map<Name, List<Question>> unanswered = new HashMap<>();

  @GuardedBy("this")
  private final PriorityQueue<Question> due =
      new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos - b.dueNanos));

  private record Name(String id, String quotaKey) {}

  /**
   * @param outbox takes a record to be written, or says that it has no room
   */
  ReplayQuestions(Identity identity, Predicate<DeferralWriter.Item> outbox, Clocks clocks) {
    this.identity = identity;
    this.outbox = outbox;
    this.clocks = clocks;
  }

  @Override
  public synchronized CompletableFuture<Boolean> ask(Replay replay) {
    Question question = new Question(replay);
    unanswered.computeIfAbsent(question.name, name -> new ArrayList<>(1)).add(question);
    write(question, clocks.monotonicNanos().getAsLong());
    return question.future;
  }

  /** Not to be called by who holds what a future's followers need: they run here. */
  void answered(DeferralAnswer answer) {
    boolean acknowledged = answer.verdict() != Verdict.ACCEPTED;
    take(answer).forEach(question -> question.future.complete(acknowledged));
  }

  private synchronized List<Question> take(DeferralAnswer answer) {
    List<Question> taken = new ArrayList<>();
    Name name = new Name(answer.id(), answer.quotaKey());
    for (Question question : List.copyOf(unanswered.getOrDefault(name, List.of()))) {
      // An enforcer of an older version speaks of the request: what it does not know any more, or
      // refuses, was acknowledged each time that it was released.
      if (answer.release() == 0 || answer.release() == question.release) {
        forget(question);
        taken.add(question);
      }
    }
    return taken;
  }

  /** Asks again where it is time to, and forgets what nobody wants to know any more. */
  synchronized void tick(long now) {
    while (!due.isEmpty() && due.peek().dueNanos - now <= 0) {
      Question question = due.remove();
      if (question.future.isDone()) {
        forget(question);
      } else {
        write(question, now);
      }
    }
  }

  @GuardedBy("this")
  private void forget(Question question) {
    List<Question> others = unanswered.get(question.name);
    if (others != null && others.remove(question) && others.isEmpty()) {
      unanswered.remove(question.name);
    }
  }

  @GuardedBy("this")
  private void write(Question question, long now) {
    // What waits for Kafka still is not written twice.
    if (!question.waits) {
      question.waits = outbox.test(question);
    }
    question.dueNanos = now + question.pauseNanos;
    question.pauseNanos = Math.min(2 * question.pauseNanos, LONGEST_PAUSE_NANOS);
    due.add(question);
  }

  /** Guarded by the monitor of all. */
  private final class Question implements DeferralWriter.Item {
    private final CompletableFuture<Boolean> future = new CompletableFuture<>();
    private final Name name;
    private final QuotaKey quotaKey;
    private final long deferredMillis;
    private final long release;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long dueNanos;
    private boolean waits;

    Question(Replay replay) {
      this.name = new Name(replay.id(), replay.quotaKey().toString());
      this.quotaKey = replay.quotaKey();
      this.deferredMillis = replay.deferredMillis();
      this.release = replay.release();
    }

    @Override
    public QuotaKey quotaKey() {
      return quotaKey;
    }

    @Override
    public int bytes() {
      return 0;
    }

    @Override
    public Optional<DeferralInput> input(int partitions) {
      synchronized (ReplayQuestions.this) {
        if (future.isDone()) {
          return Optional.empty();
        }
        return Optional.of(
            new DeferralInput.Inquiry(
                name.id(), quotaKey, deferredMillis, identity.replyTo(partitions), release));
      }
    }

    @Override
    public void outcome(DeferralWriter.Written written, @Nullable Exception cause) {
      synchronized (ReplayQuestions.this) {
        waits = false;
      }
    }
  }
}
