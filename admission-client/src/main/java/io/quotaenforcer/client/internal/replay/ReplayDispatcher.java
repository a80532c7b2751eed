package io.quotaenforcer.client.internal.replay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.spi.ReplayOutcome;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.RuleDecision;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.Replay;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs replays: each lane in order, the lanes side by side. A replay takes the permits of the rules
 * that it has not paid, runs until it is finished, and its result is written; then its record may
 * be committed. One that may be acknowledged already is asked about first, and leaves in its turn
 * if it is. Only a running handler occupies a thread.
 *
 * <p>Safe for use by any number of threads; none waits, but in {@link #awaitStarted}.
 */
final class ReplayDispatcher {
  private static final Logger log = LoggerFactory.getLogger(ReplayDispatcher.class);
  private static final long MILLI = 1_000_000L;
  private static final long SHORTEST_WAIT_FOR_PERMITS = 10 * MILLI;
  private static final long LONGEST_WAIT_FOR_PERMITS = 1_000 * MILLI;
  private static final long RETRY_RESULT = 1_000 * MILLI;
  private static final Duration LONGEST_PAUSE = Duration.ofDays(1);
  private static final long TICK_MILLIS = 20;

  private final GuardedHandler handler;
  private final Duration maxWaitForOtherRules;
  private final ReplayDesk desk;
  private final Instance instance;
  private final Workers workers;

  @GuardedBy("this")
  private final Map<Integer, OffsetWatermark> watermarks = new HashMap<>();

  @GuardedBy("this")
  private final Lanes<ReplayJob> lanes = new Lanes<>();

  @GuardedBy("this")
  private final Delays<ReplayJob> delays = new Delays<>();

  @GuardedBy("this")
  private final Backlog backlog;

  /** Have all permits, and wait for a thread. */
  @GuardedBy("this")
  private final Deque<ReplayJob> paid = new ArrayDeque<>();

  @GuardedBy("this")
  private final Set<ReplayJob> started = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean starting;

  @GuardedBy("this")
  private boolean stopping;

  @GuardedBy("this")
  private boolean threadless;

  /**
   * @param workers run the handler; shared by all groups of a runner
   * @param limits of what is read ahead
   */
  ReplayDispatcher(
      GuardedHandler handler,
      Duration maxWaitForOtherRules,
      ReplayDesk desk,
      Instance instance,
      Workers workers,
      Backlog.Limits limits) {
    this.handler = handler;
    this.maxWaitForOtherRules = maxWaitForOtherRules;
    this.desk = desk;
    this.instance = instance;
    this.workers = workers;
    this.backlog = new Backlog(limits);
  }

  /** Takes a replay that was read, to be run in its turn. */
  synchronized void add(int partition, long offset, Replay replay, int bytes) {
    enter(new ReplayJob(replay, partition, offset, bytes, watermark(partition)));
    startReady();
  }

  /** Takes a replay that may be acknowledged already, to be run in its turn if it is not. */
  synchronized void addOld(int partition, long offset, Replay replay, int bytes) {
    ReplayJob job = new ReplayJob(replay, partition, offset, bytes, watermark(partition));
    enter(job);
    CompletableFuture<Boolean> question = desk.acknowledgements().ask(replay);
    job.question = question;
    question.thenAccept(acknowledged -> answered(job, acknowledged));
    startReady();
  }

  @GuardedBy("this")
  private void enter(ReplayJob job) {
    backlog.add(job.partition, job.bytes);
    lanes.add(job.lane, job);
  }

  private synchronized void answered(ReplayJob job, boolean acknowledged) {
    if (job.isGone()) {
      return;
    }
    job.question = null;
    job.acknowledged = acknowledged;
    if (job.waitsForAnswer) {
      job.waitsForAnswer = false;
      lanes.startAgain(job.lane);
    }
    startReady();
  }

  /** Notes that a partition is read up to an offset. */
  synchronized void readUpTo(int partition, long offset) {
    watermark(partition).readUpTo(offset);
  }

  /** Goes on with what has waited long enough. */
  synchronized void tick() {
    for (ReplayJob job : delays.takeDue(now())) {
      if (job.result != null) {
        report(job, job.result);
      } else {
        lanes.startAgain(job.lane);
      }
    }
    startReady();
  }

  /** Which of the partitions are not to be read on for now. */
  synchronized Set<Integer> held(Collection<Integer> partitions) {
    return backlog.held(partitions);
  }

  /** Up to where the partitions may be committed. */
  synchronized Map<Integer, Long> committable(Collection<Integer> partitions) {
    Map<Integer, Long> offsets = new HashMap<>();
    for (int partition : partitions) {
      OffsetWatermark watermark = watermarks.get(partition);
      if (watermark != null && watermark.committable() >= 0) {
        offsets.put(partition, watermark.committable());
      }
    }
    return offsets;
  }

  /** Replays that were read and are not finished. */
  synchronized int unfinished() {
    return backlog.records();
  }

  /** From now on nothing is started any more. */
  synchronized void stop() {
    stopping = true;
    drop(Set.copyOf(watermarks.keySet()));
  }

  /** Drops what has not started of partitions: another member of the group gets it. */
  synchronized void drop(Collection<Integer> partitions) {
    for (ReplayJob job : lanes.drop(it -> partitions.contains(it.partition) && !it.hasStarted())) {
      remove(job);
    }
    paid.removeIf(ReplayJob::isGone);
    delays.drop(ReplayJob::isGone);
  }

  /** Forgets how far partitions were read; what has started of them is finished all the same. */
  synchronized void forget(Collection<Integer> partitions) {
    drop(partitions);
    watermarks.keySet().removeAll(partitions);
  }

  /** Like {@link #forget}, of every partition. */
  synchronized void forgetAll() {
    forget(Set.copyOf(watermarks.keySet()));
  }

  /** Waits until what has started of partitions is finished, or the time is up. */
  void awaitStarted(Collection<Integer> partitions, long timeoutNanos) throws InterruptedException {
    await(job -> partitions.contains(job.partition), timeoutNanos);
  }

  /** Waits until all that has started is finished, or the time is up. */
  void awaitStarted(long timeoutNanos) throws InterruptedException {
    await(job -> true, timeoutNanos);
  }

  private synchronized void await(Predicate<ReplayJob> wanted, long timeoutNanos)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    while (started.stream().anyMatch(wanted) && System.nanoTime() - deadline < 0) {
      wait(TICK_MILLIS);
      tick();
    }
  }

  /** Does nothing when called by what it does. */
  @GuardedBy("this")
  private void startReady() {
    if (starting) {
      return;
    }
    starting = true;
    try {
      while (workers.areFree() && !stopping && startOne()) {
        // One after the other.
      }
    } finally {
      starting = false;
    }
  }

  @GuardedBy("this")
  private boolean startOne() {
    ReplayJob waited = paid.poll();
    ReplayJob job = waited != null ? waited : lanes.startNext().orElse(null);
    if (job == null) {
      return false;
    }
    if (job.question != null) {
      job.waitsForAnswer = true;
    } else if (job.acknowledged) {
      lanes.finish(job.lane);
      job.mark.finish();
      remove(job);
    } else if (nanosToDeadline(job) < 0) {
      finish(job, ReplayOutcome.failed("deadline passed"));
    } else if (job.paidOthers) {
      return run(job);
    } else {
      askOthers(job);
    }
    return true;
  }

  private void askOthers(ReplayJob job) {
    CompletableFuture<Decision> answer;
    try {
      answer = desk.otherRules().decide(job.replay, maxWaitForOtherRules);
    } catch (RuntimeException | Error e) {
      // Errors, too: nobody else goes on with this lane.
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete((decision, failure) -> decided(job, decision, failure));
  }

  private synchronized void decided(
      ReplayJob job, @Nullable Decision decision, @Nullable Throwable failure) {
    if (job.isGone()) {
      return;
    }
    if (decision != null && decision.admitted()) {
      job.paidOthers = true;
      paid.add(job);
    } else {
      if (failure != null) {
        log.warn("cannot decide on replay {}; trying again", job.replay.id(), failure);
      }
      startAgain(job, waitForPermits(decision));
    }
    startReady();
  }

  private static Duration waitForPermits(@Nullable Decision decision) {
    long after =
        decision == null
            ? LONGEST_WAIT_FOR_PERMITS
            : decision.rule().map(RuleDecision::retryAfterNanos).orElse(0L);
    return Duration.ofNanos(
        Math.max(SHORTEST_WAIT_FOR_PERMITS, Math.min(LONGEST_WAIT_FOR_PERMITS, after)));
  }

  /** False if it is tried again later. */
  @GuardedBy("this")
  private boolean run(ReplayJob job) {
    if (!workers.tryTake()) {
      paid.addFirst(job);
      return false;
    }
    job.attempts++;
    job.stage = ReplayJob.Stage.RUNNING;
    started.add(job);
    try {
      workers.execute(() -> handle(job));
      threadless = false;
      return true;
    } catch (RuntimeException | Error e) {
      notRun(job, e);
      return false;
    }
  }

  /** No thread can be had: what has its permits waits for the next tick. */
  @GuardedBy("this")
  private void notRun(ReplayJob job, Throwable cause) {
    if (!threadless) {
      threadless = true;
      log.warn("cannot handle replays; trying again", cause);
    }
    workers.giveBack();
    started.remove(job);
    job.attempts--;
    job.stage = ReplayJob.Stage.WAITING;
    paid.addFirst(job);
  }

  private void handle(ReplayJob job) {
    handled(job, handler.handle(job.replay, job.attempts));
  }

  private synchronized void handled(ReplayJob job, ReplayOutcome outcome) {
    workers.giveBack();
    started.remove(job);
    job.stage = ReplayJob.Stage.WAITING;
    if (outcome instanceof ReplayOutcome.RetryLater later) {
      instance.telemetry().replayed(outcome, job.attempts);
      startAgain(job, later.after());
    } else {
      finish(job, outcome);
    }
    startReady();
    notifyAll();
  }

  @GuardedBy("this")
  private void startAgain(ReplayJob job, Duration after) {
    if (stopping || watermarks.get(job.partition) != job.watermark) {
      // Its record is read by another member of the group, or again.
      lanes.drop(it -> it == job).forEach(this::remove);
    } else {
      Duration pause = after.compareTo(LONGEST_PAUSE) < 0 ? after : LONGEST_PAUSE;
      delays.add(job, now() + Math.min(pause.toNanos(), nanosToDeadline(job)));
    }
  }

  @GuardedBy("this")
  private void finish(ReplayJob job, ReplayOutcome outcome) {
    instance.telemetry().replayed(outcome, job.attempts);
    job.stage = ReplayJob.Stage.REPORTING;
    started.add(job);
    lanes.finish(job.lane);
    String reason = outcome instanceof ReplayOutcome.Failed failed ? failed.reason() : "";
    ReplayResult result =
        new ReplayResult(
            job.replay.id(),
            job.replay.quotaKey(),
            outcome instanceof ReplayOutcome.Done,
            reason,
            job.attempts,
            job.replay.release());
    job.result = result;
    report(job, result);
  }

  private void report(ReplayJob job, ReplayResult result) {
    CompletableFuture<Void> written;
    try {
      written = desk.results().write(result);
    } catch (RuntimeException | Error e) {
      written = CompletableFuture.failedFuture(e);
    }
    written.whenComplete((done, failure) -> reported(job, failure));
  }

  private synchronized void reported(ReplayJob job, @Nullable Throwable failure) {
    if (failure != null) {
      delays.add(job, now() + RETRY_RESULT);
      return;
    }
    started.remove(job);
    job.mark.finish();
    remove(job);
    notifyAll();
  }

  @GuardedBy("this")
  private void remove(ReplayJob job) {
    job.stage = ReplayJob.Stage.GONE;
    backlog.remove(job.partition, job.bytes);
    if (job.question != null) {
      job.question.cancel(false);
    }
  }

  private long nanosToDeadline(ReplayJob job) {
    long deadlineMillis = job.replay.deadlineMillis();
    if (deadlineMillis == 0) {
      return Long.MAX_VALUE;
    }
    long millis = deadlineMillis - Math.floorDiv(instance.clocks().epochNanos().getAsLong(), MILLI);
    return Math.min(millis, LONGEST_PAUSE.toMillis()) * MILLI;
  }

  private long now() {
    return instance.now();
  }

  @GuardedBy("this")
  private OffsetWatermark watermark(int partition) {
    return watermarks.computeIfAbsent(partition, p -> new OffsetWatermark());
  }
}
