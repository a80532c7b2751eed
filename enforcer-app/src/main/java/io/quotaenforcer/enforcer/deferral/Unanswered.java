package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.enforcer.store.DeferredId;
import io.quotaenforcer.enforcer.store.PlaceRow;
import io.quotaenforcer.enforcer.store.UnansweredRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Replays that no service can answer any more, since their topic has deleted them. Each would hold
 * a credit of its quota key forever, and a key without credits releases nothing. They become dead
 * letters; the permits that paid for them stay spent, since they belong to a time long past.
 *
 * <p>A quota key has a row for each day with an unanswered release.
 */
final class Unanswered {
  private static final long NANOS_PER_DAY = Duration.ofDays(1).toNanos();

  private final QueueRows rows;
  private final Removals removals;
  private final Releases releases;
  private final Duration kept;

  /**
   * @param kept how long a replay may be read after its release
   */
  Unanswered(QueueRows rows, Removals removals, Releases releases, Duration kept) {
    this.rows = rows;
    this.removals = removals;
    this.releases = releases;
    this.kept = kept;
  }

  /** Records that a queue has, or may have, released something. */
  static void note(QueueRows rows, QuotaKey key, long now) {
    KeyQueue queue = rows.queue(key, now);
    if (queue.unacknowledged() > 0) {
      List<Long> before = Stream.of(Lane.values()).map(lane -> queue.lane(lane).first()).toList();
      rows.putUnanswered(day(now), key, new UnansweredRow(before));
    }
  }

  /** Records that a queue awaits no answer, so that nothing of the last days is to be given up. */
  static void forget(QueueRows rows, QuotaKey key, long now) {
    int today = day(now);
    rows.deleteUnanswered(today, key);
    rows.deleteUnanswered(today - 1, key);
  }

  /**
   * Gives up replays released too long ago.
   *
   * @param most requests that are given up at once
   */
  void giveUp(int most, long now) {
    int over = (int) ((now - kept.toNanos()) / NANOS_PER_DAY);
    int left = most;
    for (Optional<QueueRows.Released> row = rows.firstUnanswered(over);
        left > 0 && row.isPresent();
        row = rows.firstUnanswered(over)) {
      left = giveUp(row.get(), left, now);
      if (left > 0) {
        rows.deleteUnanswered(row.get().day(), row.get().quotaKey());
      }
    }
  }

  private int giveUp(QueueRows.Released row, int most, long now) {
    QuotaKey key = row.quotaKey();
    int left = most;
    for (Lane lane : Lane.values()) {
      long before = row.row().before().get(lane.ordinal());
      Optional<QueueRows.Numbered> next = released(key, lane, 0, before);
      while (left > 0 && next.isPresent()) {
        giveUp(new PlaceRow(key, lane, next.get().number()), next.get().request(), now);
        left--;
        next = released(key, lane, next.get().number() + 1, before);
      }
    }
    releases.wake(key, now);
    return left;
  }

  /** The first request from a number on that does not wait. */
  private Optional<QueueRows.Numbered> released(QuotaKey key, Lane lane, long from, long before) {
    return from >= before
        ? Optional.empty()
        : rows.first(key, lane, from, before).filter(found -> found.number() < before);
  }

  private void giveUp(PlaceRow place, byte[] request, long now) {
    KeyQueue queue = rows.queue(place.quotaKey(), now);
    DeferredId id = new DeferredId(place.quotaKey(), removals.decode(request).id());
    removals.putAside(
        id,
        place,
        request,
        "no service has answered in the %d days since it was released".formatted(kept.toDays()),
        now);
    rows.change(place.quotaKey(), queue, queue.acknowledge());
  }

  private static int day(long epochNanos) {
    return (int) (epochNanos / NANOS_PER_DAY);
  }
}
