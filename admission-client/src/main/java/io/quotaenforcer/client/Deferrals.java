package io.quotaenforcer.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.quotaenforcer.client.internal.Instance;
import io.quotaenforcer.client.internal.kafka.DeferralWriter;
import io.quotaenforcer.client.spi.DeferralOutcome;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.rule.Mode;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Requests that were handed over and have no answer yet. Each is written once; then the enforcer is
 * asked about it each second, since an answer may be lost. No thread waits.
 */
final class Deferrals {
  /** How long after the record, and after each question, the enforcer is asked. */
  static final Duration INQUIRY_INTERVAL = Duration.ofSeconds(1);

  private final Instance instance;
  private final Rules rules;
  private final Predicate<DeferralWriter.Item> outbox;
  private final Limits limits;
  private final Executor executor;

  @GuardedBy("this")
  private final Map<String, Handover> unanswered = new HashMap<>();

  @GuardedBy("this")
  private final PriorityQueue<Handover> due =
      new PriorityQueue<>((a, b) -> Long.signum(a.dueNanos - b.dueNanos));

  /**
   * How requests are charged, and the part of them that may leave this process.
   *
   * @param keys that values are hashed by
   * @param leaving makes what may leave of a request
   */
  record Rules(
      Supplier<RuleSet> inForce, Supplier<HashKeys> keys, UnaryOperator<Request> leaving) {}

  /**
   * How much may wait how long.
   *
   * @param timeout of one request
   * @param maxUnanswered requests
   */
  record Limits(Duration timeout, int maxUnanswered) {}

  /**
   * @param outbox takes a record to be written, or says that it has no room
   * @param executor completes the futures
   */
  Deferrals(
      Instance instance,
      Rules rules,
      Predicate<DeferralWriter.Item> outbox,
      Limits limits,
      Executor executor) {
    this.instance = instance;
    this.rules = rules;
    this.outbox = outbox;
    this.limits = limits;
    this.executor = executor;
  }

  CompletableFuture<Deferred> defer(Request request, Deferral deferral) {
    String id = deferral.id().orElseGet(() -> UUID.randomUUID().toString());
    Handover handover = new Handover(id, quotaKey(request), request, deferral);
    synchronized (this) {
      String name = name(id, handover.quotaKey.toString());
      if (unanswered.containsKey(name)) {
        throw new IllegalArgumentException("must not be waiting for its answer already: id=" + id);
      }
      if (unanswered.size() >= limits.maxUnanswered()) {
        handover.fail(
            "nothing was deferred: "
                + limits.maxUnanswered()
                + " deferred requests wait for the enforcer's answer (defer.max.unanswered)",
            null);
      } else if (!outbox.test(handover)) {
        handover.fail(
            "nothing was deferred: the client is closed, or "
                + DeferralWriter.MAX_WAITING_BYTES
                + " bytes wait to be written",
            null);
      } else {
        unanswered.put(name, handover);
        due.add(handover);
      }
    }
    return handover.future;
  }

  /** Tells the enforcer that a waiting request is not to be run. Done once that is durable. */
  CompletableFuture<Void> cancel(String id, QuotaKey quotaKey) {
    CommandItem cancel =
        new CommandItem(new DeferralInput.Cancel(id, quotaKey, "cancelled"), quotaKey);
    if (!outbox.test(cancel)) {
      cancel
          .future()
          .completeExceptionally(new DeferralException(id, "the client is closed", null));
    }
    return cancel.future().whenCompleteAsync((done, failure) -> {}, executor);
  }

  /** Takes an answer. A request that the enforcer does not know yet may still reach it. */
  synchronized void answered(DeferralAnswer answer) {
    Handover handover = answer.release() == 0 ? unanswered(answer) : null;
    if (handover == null || answer.verdict() == Verdict.UNKNOWN) {
      return;
    }
    boolean accepted = answer.verdict() == Verdict.ACCEPTED;
    handover.complete(
        accepted
            ? new Deferred.Accepted(answer.id(), handover.quotaKey, answer.waiting())
            : new Deferred.Refused(answer.id(), answer.reason(), retryAfter(answer)),
        accepted ? DeferralOutcome.ACCEPTED : DeferralOutcome.REFUSED);
  }

  private static Optional<Duration> retryAfter(DeferralAnswer answer) {
    return answer.retryAfterMillis() > 0
        ? Optional.of(Duration.ofMillis(answer.retryAfterMillis()))
        : Optional.empty();
  }

  /** An enforcer of an older version does not name the quota key. */
  @GuardedBy("this")
  private @Nullable Handover unanswered(DeferralAnswer answer) {
    return answer.quotaKey().isEmpty()
        ? unanswered.values().stream()
            .filter(handover -> handover.id.equals(answer.id()))
            .findFirst()
            .orElse(null)
        : unanswered.get(name(answer.id(), answer.quotaKey()));
  }

  /** Tells requests apart, since another quota key may have the same id. */
  private static String name(String id, String quotaKey) {
    return id + '\0' + quotaKey;
  }

  /**
   * Asks about the requests that it is time to ask about, and gives up those that took too long.
   */
  synchronized void tick(long now) {
    while (!due.isEmpty() && due.peek().dueNanos - now <= 0) {
      Handover handover = due.remove();
      if (handover.over) {
        continue;
      }
      if (handover.deadlineNanos - now <= 0) {
        handover.timeOut("within " + limits.timeout().toMillis() + " ms");
      } else {
        handover.inquire();
        handover.dueNanos = now + INQUIRY_INTERVAL.toNanos();
        if (handover.deadlineNanos - handover.dueNanos < 0) {
          handover.dueNanos = handover.deadlineNanos;
        }
        due.add(handover);
      }
    }
  }

  /** Ends every wait. */
  synchronized void close() {
    for (Handover handover : List.copyOf(unanswered.values())) {
      handover.timeOut("before the client was closed");
    }
  }

  private QuotaKey quotaKey(Request request) {
    Unhashed unhashed = new Unhashed();
    for (RuleSet.Match match : rules.inForce().get().match(request, rules.keys().get(), unhashed)) {
      // A shadow rule holds nobody up, so nothing waits for it either.
      if (match.rule().overLimit().defers()
          && match.rule().mode() == Mode.ENFORCE
          && !match.rule().denies(match.quotaKey())) {
        return match.quotaKey();
      }
    }
    throw new IllegalArgumentException(
        "must match a rule in force with over-limit: defer: attributes="
            + new TreeSet<>(request.attributes().keySet())
            + unhashed.why);
  }

  /** Rules that a request cannot wait for. */
  private static final class Unhashed implements RuleSet.Notes {
    private String why = "";

    @Override
    public void unsure(RuleId rule, String attribute) {}

    @Override
    public void inTheClear(Rule rule, String attribute) {
      why += "; %s hashes %s, and there are no hash.keys".formatted(rule.id(), attribute);
    }
  }

  /** One request, from the call to its answer. Guarded by the monitor of all. */
  private final class Handover implements DeferralWriter.Item {
    private final CompletableFuture<Deferred> future = new CompletableFuture<>();
    private final String id;
    private final QuotaKey quotaKey;
    private final int bytes;
    private final long deferredMillis =
        Math.floorDiv(instance.clocks().epochNanos().getAsLong(), 1_000_000L);
    private final long deadlineNanos;
    private @Nullable Content content;
    private DeferralWriter.@Nullable Written written;
    private ReplyTo replyTo = ReplyTo.NOBODY;
    private boolean inquiring;
    private boolean over;
    private long dueNanos;

    private record Content(Request request, Deferral deferral) {}

    Handover(String id, QuotaKey quotaKey, Request request, Deferral deferral) {
      this.id = id;
      this.quotaKey = quotaKey;
      this.content = new Content(rules.leaving().apply(request), deferral);
      this.bytes = deferral.payload().size();
      long now = instance.now();
      this.deadlineNanos = now + limits.timeout().toNanos();
      this.dueNanos = now + Math.min(INQUIRY_INTERVAL.toNanos(), limits.timeout().toNanos());
    }

    @Override
    public QuotaKey quotaKey() {
      return quotaKey;
    }

    @Override
    public int bytes() {
      return bytes;
    }

    @Override
    public Optional<DeferralInput> input(int partitions) {
      synchronized (Deferrals.this) {
        Content known = content;
        content = null;
        if (over || known == null) {
          return Optional.empty();
        }
        written = DeferralWriter.Written.UNKNOWN;
        replyTo = instance.identity().replyTo(partitions);
        Deferral deferral = known.deferral();
        return Optional.of(
            new DeferralInput.DeferredRequest(
                id,
                quotaKey,
                known.request(),
                deferral.payload(),
                deferral.headers(),
                deferral.priority(),
                deferral.deadlineMillis(),
                deferredMillis,
                replyTo));
      }
    }

    @Override
    public void outcome(DeferralWriter.Written outcome, @Nullable Exception cause) {
      synchronized (Deferrals.this) {
        written = outcome;
        switch (outcome) {
          case YES -> {}
          case NO -> fail("nothing was deferred: it could not be written", cause);
          case UNKNOWN -> fail("it is not known whether it was deferred", cause);
        }
      }
    }

    void inquire() {
      if (written != DeferralWriter.Written.YES || inquiring) {
        return;
      }
      CommandItem inquiry =
          new CommandItem(
              new DeferralInput.Inquiry(id, quotaKey, deferredMillis, replyTo), quotaKey);
      inquiring = outbox.test(inquiry);
      inquiry.future().whenComplete((done, failure) -> inquired());
    }

    private void inquired() {
      synchronized (Deferrals.this) {
        inquiring = false;
      }
    }

    void timeOut(String when) {
      if (written == DeferralWriter.Written.YES) {
        end(
            new DeferralTimeoutException(
                id,
                "the enforcer did not answer %s: id=%s (the request is durable: it will be run or become a dead letter)"
                    .formatted(when, id)),
            DeferralOutcome.UNANSWERED);
      } else if (written == null) {
        fail("nothing was deferred: it could not be written " + when, null);
      } else {
        fail("it is not known whether it was deferred: no acknowledgement " + when, null);
      }
    }

    void fail(String what, @Nullable Exception cause) {
      end(new DeferralException(id, what + ": id=" + id, cause), DeferralOutcome.FAILED);
    }

    private void end(DeferralException failure, DeferralOutcome outcome) {
      if (end(outcome)) {
        executor.execute(() -> future.completeExceptionally(failure));
      }
    }

    void complete(Deferred deferred, DeferralOutcome outcome) {
      if (end(outcome)) {
        executor.execute(() -> future.complete(deferred));
      }
    }

    private boolean end(DeferralOutcome outcome) {
      synchronized (Deferrals.this) {
        boolean first = !over;
        over = true;
        content = null;
        unanswered.remove(name(id, quotaKey.toString()), this);
        if (first) {
          instance.telemetry().deferred(outcome);
        }
        return first;
      }
    }
  }
}
