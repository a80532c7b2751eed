package io.quotaenforcer.grpc;

import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.quotaenforcer.client.Admission;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Asks an admission about calls. Throws nothing, whatever fails inside. */
final class Gate {
  private final Admission admission;
  private final InterceptorOptions options;
  private final OnceAMinute log =
      new OnceAMinute(LoggerFactory.getLogger(Gate.class), System::nanoTime);

  Gate(Admission admission, InterceptorOptions options) {
    this.admission = admission;
    this.options = options;
  }

  /** Goes on with calls that have waited. */
  Executor executor() {
    return options.executor();
  }

  /**
   * Decides a call.
   *
   * @param request the request that it is; empty if it is not limited
   * @param deadlines of the call, of which the first to come bounds its wait
   */
  Answer ask(
      MethodDescriptor<?, ?> method,
      Callable<Optional<Request>> request,
      @Nullable Deadline... deadlines) {
    try {
      Optional<Request> found = request.call();
      return found.isEmpty() ? new Answer.Go() : decide(costing(method, found.get()), deadlines);
    } catch (Throwable e) {
      return failed(e);
    }
  }

  private Request costing(MethodDescriptor<?, ?> method, Request request) {
    long permits = options.cost().permits(method, request);
    return permits == request.cost() ? request : request.withCost(permits);
  }

  private Answer decide(Request request, @Nullable Deadline... deadlines) {
    long wait = nanosToWait(deadlines);
    if (wait <= 0) {
      return answer(admission.decide(request), null);
    }
    CompletableFuture<Decision> future = admission.decideAsync(request, Duration.ofNanos(wait));
    return future.isDone() && !future.isCompletedExceptionally()
        ? answer(future.join(), null)
        : new Answer.Later(new Waiting(future, this::answer, options.executor()));
  }

  private long nanosToWait(@Nullable Deadline... deadlines) {
    long wait = nanos(options.maxWait());
    for (Deadline deadline : deadlines) {
      wait = deadline == null ? wait : Math.min(wait, deadline.timeRemaining(TimeUnit.NANOSECONDS));
    }
    return wait;
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) >= 0
        ? Long.MAX_VALUE
        : duration.toNanos();
  }

  private Answer answer(@Nullable Decision decision, @Nullable Throwable failure) {
    if (decision == null) {
      return failed(
          failure == null ? new IllegalStateException("must be a decision: null") : failure);
    }
    try {
      return decision.admitted() ? new Answer.Go() : Refusals.of(decision);
    } catch (Throwable e) {
      return failed(e);
    }
  }

  private Answer failed(Throwable cause) {
    boolean admit = options.onFailure() == OnFailure.ADMIT;
    log.warn("a call cannot be decided, and " + (admit ? "goes on" : "is refused"), cause);
    return admit ? new Answer.Go() : Refusals.undecided();
  }
}
