package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.deferral.QueueBounds;
import io.quotaenforcer.core.message.DeferralAnswer;
import io.quotaenforcer.core.message.DeferralAnswer.Verdict;
import io.quotaenforcer.core.message.DeferralInput.Cancel;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.Expedite;
import io.quotaenforcer.core.message.DeferralInput.Inquiry;
import io.quotaenforcer.core.message.DeferralInput.ReplayResult;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.core.rule.OverLimit.Defer;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import io.quotaenforcer.enforcer.deferral.KnownIds.Known;
import io.quotaenforcer.enforcer.store.DeferredId;
import io.quotaenforcer.enforcer.store.PlaceRow;
import java.util.Optional;
import java.util.function.Supplier;

/** Carries out inputs: each changes queues, and wakes those that may release now. */
final class DeferralDesk {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Supplier<RuleSet> rules;
  private final QueueRows rows;
  private final KnownIds ids;
  private final QueueBounds bounds;
  private final Removals removals;
  private final Releases releases;
  private final LaterAnswers answers;
  private final DeferralOutput output;

  DeferralDesk(
      Supplier<RuleSet> rules,
      QueueRows rows,
      KnownIds ids,
      QueueBounds bounds,
      Removals removals,
      Releases releases,
      LaterAnswers answers,
      DeferralOutput output) {
    this.rules = rules;
    this.rows = rows;
    this.ids = ids;
    this.bounds = bounds;
    this.removals = removals;
    this.releases = releases;
    this.answers = answers;
    this.output = output;
  }

  /**
   * Queues a request or refuses it; answers a repeated request again.
   *
   * @param value the request's original bytes
   * @param redriven whether an operator had it written again: a request that was put aside waits
   *     again
   */
  void defer(DeferredRequest request, byte[] value, boolean redriven, long now) {
    long nowMillis = now / NANOS_PER_MILLI;
    DeferredId id = id(request);
    Optional<Known> known = known(id, nowMillis);
    if (known.isPresent() && !mayComeAgain(known.get(), redriven)) {
      answer(request.replyTo(), id(request), known.get().verdict(), "it came before", 0, now);
      return;
    }
    KeyQueue queue = rows.queue(request.quotaKey(), now);
    // Read once: another thread may put others in force meanwhile.
    Optional<Rule> rule = rules.get().rule(request.quotaKey().rule());
    Optional<QueueBounds.Refusal> refusal = refusal(request, rule, value.length, queue, nowMillis);
    ids.put(id, refusal.isPresent() ? Known.REFUSED : Known.ACCEPTED, nowMillis);
    if (refusal.isPresent()) {
      refuse(request, value, refusal.get(), now);
      return;
    }
    if (queue.waiting() == 0) {
      // A steady queue that was empty has nothing to make up for.
      queue = queue.withNextRelease(Math.max(queue.nextReleaseNanos(), now));
    }
    Lane lane = Lane.of(request.priority());
    PlaceRow place = new PlaceRow(request.quotaKey(), lane, queue.lane(lane).next());
    rows.put(id, place, value);
    if (request.deadlineMillis() > 0) {
      rows.deadlines().add(request.deadlineMillis() * NANOS_PER_MILLI, QueueRows.bytes(id.text()));
    }
    Defer defer = (Defer) rule.orElseThrow().overLimit();
    rows.change(
        request.quotaKey(),
        queue,
        queue.add(lane, value.length, request.deferredMillis(), defer.onDelete()));
    answer(request.replyTo(), id(request), Verdict.ACCEPTED, "", 0, now);
    releases.wake(request.quotaKey(), now);
  }

  /** A refused request may find room now; one that was put aside is for the operator. */
  private static boolean mayComeAgain(Known known, boolean redriven) {
    return known == Known.REFUSED || (redriven && known == Known.PUT_ASIDE);
  }

  /** Answers an inquiry about a request, or about one of its releases. */
  void inquire(Inquiry inquiry, long now) {
    if (inquiry.release() != 0) {
      inquireRelease(inquiry, now);
      return;
    }
    DeferredId id = new DeferredId(inquiry.quotaKey(), inquiry.id());
    Verdict verdict = known(id, now / NANOS_PER_MILLI).map(Known::verdict).orElse(Verdict.UNKNOWN);
    answer(inquiry.replyTo(), id, verdict, "", 0, now);
  }

  /**
   * A service that runs replays and has lost track of its progress asks which ones it must not run
   * again.
   */
  private void inquireRelease(Inquiry inquiry, long now) {
    boolean unacknowledged =
        rows.place(new DeferredId(inquiry.quotaKey(), inquiry.id()))
            .filter(place -> place.release() == inquiry.release())
            .isPresent();
    answers.add(
        inquiry.replyTo(),
        new DeferralAnswer(
            inquiry.replyTo().instance(),
            inquiry.replyTo().epoch(),
            inquiry.id(),
            inquiry.quotaKey().toString(),
            unacknowledged ? Verdict.ACCEPTED : Verdict.UNKNOWN,
            "",
            0,
            rows.queue(inquiry.quotaKey(), now).waiting(),
            inquiry.release()));
  }

  /**
   * Frees the credit that a replay held, and puts it aside if it was not run. A result that came
   * before changes nothing.
   */
  void acknowledge(ReplayResult result, long now) {
    DeferredId id = new DeferredId(result.quotaKey(), result.id());
    Optional<PlaceRow> place = rows.place(id);
    if (place.isEmpty() || isOfAnother(result, place.get())) {
      return;
    }
    PlaceRow found = place.get();
    KeyQueue queue = rows.queue(found.quotaKey(), now);
    byte[] request = rows.request(found);
    if (request == null || queue.waits(found.lane(), found.number())) {
      return;
    }
    if (result.done()) {
      rows.delete(id, found);
    } else {
      removals.putAside(
          id,
          found,
          request,
          "not run after %d attempts: %s".formatted(result.attempts(), result.reason()),
          now);
    }
    KeyQueue after = queue.acknowledge();
    rows.change(found.quotaKey(), queue, after);
    if (after.unacknowledged() == 0) {
      Unanswered.forget(rows, found.quotaKey(), now);
    }
    releases.wake(found.quotaKey(), now);
  }

  /** Whether a result belongs to a release before the request was put aside and redriven. */
  private static boolean isOfAnother(ReplayResult result, PlaceRow place) {
    return result.release() != 0 && result.release() != place.release();
  }

  void cancel(Cancel cancel, long now) {
    removals.remove(
        new DeferredId(cancel.quotaKey(), cancel.id()), "cancelled: " + cancel.reason(), now);
  }

  /** Moves a waiting request to the front of its quota key. */
  void expedite(Expedite expedite, long now) {
    DeferredId id = new DeferredId(expedite.quotaKey(), expedite.id());
    Optional<PlaceRow> place = rows.place(id);
    if (place.isEmpty() || place.get().lane() == Lane.EXPEDITED) {
      return;
    }
    PlaceRow from = place.get();
    KeyQueue queue = rows.queue(from.quotaKey(), now);
    byte[] request = rows.request(from);
    if (request == null || !queue.waits(from.lane(), from.number())) {
      return;
    }
    PlaceRow to = new PlaceRow(from.quotaKey(), Lane.EXPEDITED, queue.lane(Lane.EXPEDITED).next());
    rows.delete(id, from);
    rows.put(id, to, request);
    KeyQueue moved =
        queue
            .remove(from.lane(), request.length)
            .add(
                Lane.EXPEDITED,
                request.length,
                removals.decode(request).deferredMillis(),
                queue.onDelete());
    rows.change(from.quotaKey(), queue, moved);
    releases.wake(from.quotaKey(), now);
  }

  private Optional<Known> known(DeferredId id, long nowMillis) {
    Optional<Known> place = rows.place(id).map(found -> Known.ACCEPTED);
    return place.isPresent() ? place : ids.get(id, nowMillis);
  }

  private Optional<QueueBounds.Refusal> refusal(
      DeferredRequest request, Optional<Rule> rule, long size, KeyQueue queue, long nowMillis) {
    QuotaKey key = request.quotaKey();
    if (rule.isEmpty()) {
      return Optional.of(new QueueBounds.Refusal("no such rule: " + key.rule(), 0));
    }
    if (!(rule.get().overLimit() instanceof Defer defer)) {
      return Optional.of(new QueueBounds.Refusal("the rule does not defer: " + key.rule(), 0));
    }
    if (rule.get().denies(key)) {
      return Optional.of(new QueueBounds.Refusal("the quota key is denied: " + key, 0));
    }
    QueueBounds.Arrival arrival =
        new QueueBounds.Arrival(
            request.request().cost(),
            size,
            request.deadlineMillis(),
            queue,
            rows.totals().waiting(),
            rows.totals().bytes());
    return bounds.refusal(arrival, defer, rule.get().limitOf(key), nowMillis);
  }

  /** Must not go unnoticed: if no one waits for the answer, it becomes a dead letter. */
  private void refuse(
      DeferredRequest request, byte[] value, QueueBounds.Refusal refusal, long now) {
    if (request.replyTo().partition() < 0) {
      output.deadLetter(
          request.id(), request.quotaKey().toString(), value, "refused: " + refusal.reason());
    }
    answer(
        request.replyTo(),
        id(request),
        Verdict.REFUSED,
        refusal.reason(),
        refusal.retryAfterMillis(),
        now);
  }

  private void answer(
      ReplyTo to,
      DeferredId request,
      Verdict verdict,
      String reason,
      long retryAfterMillis,
      long now) {
    answers.add(
        to,
        new DeferralAnswer(
            to.instance(),
            to.epoch(),
            request.id(),
            request.quotaKey().toString(),
            verdict,
            verdict == Verdict.REFUSED ? reason : "",
            retryAfterMillis,
            rows.queue(request.quotaKey(), now).waiting()));
  }

  private static DeferredId id(DeferredRequest request) {
    return new DeferredId(request.quotaKey(), request.id());
  }
}
