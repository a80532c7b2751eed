package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.allotment.QueuePermits;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.deferral.SteadyRelease;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.Replay;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.OverLimit.OnDelete;
import io.quotaenforcer.core.rule.OverLimit.Release;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.store.DeferredId;
import io.quotaenforcer.enforcer.store.DueIndex;
import io.quotaenforcer.enforcer.store.PlaceRow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases waiting requests as permits, credit and rhythm allow. Only due queues cost work, not all
 * waiting ones.
 */
final class Releases {
  private static final Logger log = LoggerFactory.getLogger(Releases.class);

  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** A queue that gets no permits for longer than this is put away until shortly before. */
  private static final long PATIENCE_NANOS = 3_000_000_000L;

  private static final long LEAD_NANOS = 1_000_000_000L;

  /** Most lateness, such as that of a tick, that a queue makes up for. */
  private static final long LATE_NANOS = 250_000_000L;

  private final Supplier<RuleSet> rules;
  private final DeferralSettings settings;
  private final QueueRows rows;
  private final ReplayPermits permits;
  private final Removals removals;
  private final DeferralOutput output;
  private final AtWork atWork;

  Releases(
      Supplier<RuleSet> rules,
      DeferralSettings settings,
      QueueRows rows,
      ReplayPermits permits,
      Removals removals,
      DeferralOutput output) {
    this.rules = rules;
    this.settings = settings;
    this.rows = rows;
    this.permits = permits;
    this.removals = removals;
    this.output = output;
    this.atWork = new AtWork(settings.pace().releasesPerTick());
  }

  /** Whether there is nothing to do before a queue is due. */
  boolean isIdle() {
    return atWork.size() == 0;
  }

  /** Attends to a queue that may be able to release something now. */
  void wake(QuotaKey key, long now) {
    KeyQueue queue = rows.queue(key, now);
    if (queue.waiting() == 0 || queue.unacknowledged() >= credit(rule(key))) {
      return;
    }
    if (queue.dueNanos() == KeyQueue.AT_WORK) {
      // A queue that waits for a time or for permits gets neither sooner by growing.
      if (!atWork.isTimed(key)) {
        atWork.ready(key);
      }
    } else if (queue.dueNanos() == KeyQueue.NOT_DUE) {
      begin(key, queue, now);
    }
  }

  /** Takes up a queue that was at work when its partition was elsewhere. */
  void resume(QuotaKey key, KeyQueue queue, long now) {
    begin(key, queue, now);
  }

  /** An answer about the permits of a queue has come. */
  void answered(QuotaKey key) {
    atWork.ready(key);
  }

  /** Releases what is due. */
  void release(long now) {
    int room = settings.pace().atWork() - atWork.size();
    if (room > 0) {
      for (DueIndex.Due due : rows.due().take(now + settings.pace().tick().toNanos(), room)) {
        QuotaKey key = QuotaKey.parse(QueueRows.text(due.row()));
        KeyQueue queue = rows.queue(key, now);
        if (queue.dueNanos() == due.atNanos()) {
          rows.change(key, queue, queue.withDue(KeyQueue.AT_WORK));
          atWork.add(key);
        }
      }
    }
    atWork.wakeTimed(now);
    int left = settings.pace().releasesPerTick();
    Optional<QuotaKey> next = atWork.next();
    while (left > 0 && next.isPresent()) {
      int done = release(next.get(), left, now);
      if (done > 0) {
        Unanswered.note(rows, next.get(), now);
      }
      left -= Math.max(1, done);
      next = left > 0 ? atWork.next() : Optional.empty();
    }
  }

  private void begin(QuotaKey key, KeyQueue queue, long now) {
    if (atWork.size() < settings.pace().atWork()) {
      rows.change(key, queue, queue.withDue(KeyQueue.AT_WORK));
      atWork.add(key);
    } else {
      putAway(key, queue, now);
    }
  }

  private int release(QuotaKey key, int most, long now) {
    @Nullable Rule rule = rule(key);
    int done = 0;
    while (true) {
      KeyQueue queue = rows.queue(key, now);
      if (queue.waiting() == 0 || queue.unacknowledged() >= credit(rule)) {
        end(key, queue);
        return done;
      }
      if (done == most) {
        atWork.ready(key);
        return done;
      }
      if (rule != null && queue.nextReleaseNanos() > now && isSteady(rule)) {
        atWork.letAnotherAsk(key);
        atWork.readyAt(queue.nextReleaseNanos(), key);
        return done;
      }
      OptionalLong wait = releaseNext(key, rule, queue, now);
      if (wait.isPresent()) {
        await(key, wait.getAsLong(), now);
        return done;
      }
      done++;
    }
  }

  /** Empty if the next request was released or put aside; else the time that it must wait. */
  private OptionalLong releaseNext(QuotaKey key, @Nullable Rule rule, KeyQueue queue, long now) {
    Lane lane = queue.nextLane();
    Optional<QueueRows.Numbered> next =
        rows.first(key, lane, queue.lane(lane).first(), queue.lane(lane).next());
    if (next.isEmpty()) {
      log.error(
          "{} requests of {} are not in the store: {}", queue.lane(lane).waiting(), key, lane);
      rows.change(key, queue, queue.clear(lane));
      return OptionalLong.empty();
    }
    DeferredRequest request = removals.decode(next.get().request());
    long cost = request.request().cost();
    String unwanted = unwanted(request, rule, queue, now);
    if (unwanted != null) {
      removals.remove(new DeferredId(key, request.id()), unwanted, now);
      return OptionalLong.empty();
    }
    QueuePermits.Taken paid = new QueuePermits.Taken(permits.now(), 0);
    if (rule != null) {
      QueuePermits held = permits(key, rule);
      held.backlog(Math.max(cost, releasable(queue, rule, key, now)), permits.now());
      Optional<QueuePermits.Taken> taken =
          held.tryTake(cost, readySince(rule, queue, now), permits.now());
      if (taken.isEmpty()) {
        return OptionalLong.of(held.retryAfterNanos(cost, permits.now()));
      }
      paid = taken.get();
    }
    KeyQueue after =
        queue.release(next.get().number(), next.get().request().length, request.deferredMillis());
    if (rule != null && isSteady(rule)) {
      Limit limit = rule.limitOf(key);
      after =
          after.withNextRelease(
              SteadyRelease.after(limit, cost, queue.nextReleaseNanos(), LATE_NANOS, now));
    }
    rows.change(key, queue, after);
    output.release(
        replay(request, rule != null, paid, new PlaceRow(key, lane, next.get().number())));
    return OptionalLong.empty();
  }

  /**
   * Requests that could leave within a second if there were permits: no more permits are asked for.
   */
  private static long releasable(KeyQueue queue, Rule rule, QuotaKey key, long now) {
    long most = Math.min(queue.waiting(), credit(rule) - queue.unacknowledged());
    if (!isSteady(rule)) {
      return most;
    }
    Limit limit = rule.limitOf(key);
    double perSecond = (double) limit.permits() * NANOS_PER_SECOND / limit.windowNanos(now);
    return Math.min(most, 1 + (long) perSecond);
  }

  /**
   * Earliest time at which the next request may have taken a permit: a steady queue waits for its
   * time, and no queue makes up for more than the permitted lateness.
   */
  private long readySince(Rule rule, KeyQueue queue, long now) {
    long late = now - LATE_NANOS;
    long since = isSteady(rule) ? Math.max(late, queue.nextReleaseNanos()) : late;
    return permits.now() - (now - since);
  }

  private Replay replay(
      DeferredRequest request, boolean hasPaid, QueuePermits.Taken paid, PlaceRow place) {
    QuotaKey key = request.quotaKey();
    return new Replay(
        request.id(),
        key,
        request.request(),
        request.payload(),
        request.headers(),
        request.priority(),
        request.deferredMillis(),
        request.deadlineMillis(),
        hasPaid ? List.of(key) : List.of(),
        permits.enforcerNanos(key, paid.atNanos()),
        paid.windowStartNanos(),
        KeyQueue.replayNumber(place.lane(), place.number()),
        place.release());
  }

  /** Reason never to release a request; null if there is none. */
  private static @Nullable String unwanted(
      DeferredRequest request, @Nullable Rule rule, KeyQueue queue, long now) {
    if (request.deadlineMillis() > 0 && request.deadlineMillis() * NANOS_PER_MILLI <= now) {
      return "deadline passed: it waited until " + request.deadlineMillis();
    }
    if (rule == null) {
      return queue.onDelete() == OnDelete.DEAD_LETTER ? "its rule was deleted" : null;
    }
    if (rule.denies(request.quotaKey())) {
      return "its quota key is denied";
    }
    long capacity = rule.limitOf(request.quotaKey()).capacity();
    long cost = request.request().cost();
    return cost > capacity
        ? "it costs %d permits, and the limit never has more than %d".formatted(cost, capacity)
        : null;
  }

  /** Waits for an answer of the ledger, or, if that is not worth the memory, until a time. */
  private void await(QuotaKey key, long waitNanos, long now) {
    AtWork.Held held = atWork.permits(key).orElseThrow();
    // Before the ledger was asked, or while it is unavailable, its earlier answer may be out of
    // date.
    boolean refused =
        held.permits().isRefusedSince(1, held.sinceNanos(), permits.now())
            && !held.permits().isAway(permits.now());
    // Permits accrued to a rate share would be lost if the queue were put away.
    boolean renews = held.permits().renews(1, permits.now());
    if (refused || renews) {
      atWork.letAnotherAsk(key);
    }
    if (waitNanos <= PATIENCE_NANOS || !refused || renews) {
      atWork.readyAt(now + Math.max(1, Math.min(waitNanos, LEAD_NANOS)), key);
      return;
    }
    KeyQueue queue = rows.queue(key, now);
    putAway(key, queue, now + waitNanos - LEAD_NANOS);
    forget(key);
  }

  private void putAway(QuotaKey key, KeyQueue queue, long until) {
    rows.due().add(until, QueueRows.bytes(key.toString()));
    rows.change(key, queue, queue.withDue(until));
  }

  private void end(QuotaKey key, KeyQueue queue) {
    rows.change(key, queue, queue.withDue(KeyQueue.NOT_DUE));
    forget(key);
  }

  private void forget(QuotaKey key) {
    atWork.permits(key).ifPresent(held -> held.permits().backlog(0, permits.now()));
    atWork.remove(key);
  }

  private QueuePermits permits(QuotaKey key, Rule rule) {
    return atWork
        .permits(key)
        .orElseGet(
            () -> {
              AtWork.Held created = new AtWork.Held(permits.of(rule, key), permits.now());
              atWork.permits(key, created);
              return created;
            })
        .permits();
  }

  private @Nullable Rule rule(QuotaKey key) {
    return rules.get().rule(key.rule()).orElse(null);
  }

  private static int credit(@Nullable Rule rule) {
    return rule != null && rule.overLimit() instanceof Defer defer
        ? defer.unacknowledged()
        : Defer.DEFAULTS.unacknowledged();
  }

  private static boolean isSteady(Rule rule) {
    return rule.overLimit() instanceof Defer defer && defer.release() == Release.STEADY;
  }
}
