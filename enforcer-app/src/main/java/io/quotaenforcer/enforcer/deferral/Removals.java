package io.quotaenforcer.enforcer.deferral;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.deferral.KeyQueue;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.enforcer.store.DeferredId;
import io.quotaenforcer.enforcer.store.DueIndex;
import io.quotaenforcer.enforcer.store.PlaceRow;
import io.quotaenforcer.enforcer.store.RegistryPatience;
import io.quotaenforcer.schemas.topic.Wire;
import java.util.Optional;

/** Removes waiting requests that are not to be run: each becomes a dead letter, once. */
final class Removals {
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final Wire wire;
  private final RegistryPatience patience = new RegistryPatience();
  private final QueueRows rows;
  private final KnownIds ids;
  private final DeferralOutput output;

  Removals(Wire wire, QueueRows rows, KnownIds ids, DeferralOutput output) {
    this.wire = wire;
    this.rows = rows;
    this.ids = ids;
    this.output = output;
  }

  /** Removes a request and tells whether it was waiting. */
  boolean remove(DeferredId id, String reason, long now) {
    Optional<PlaceRow> place = rows.place(id);
    if (place.isEmpty()) {
      return false;
    }
    PlaceRow found = place.get();
    KeyQueue queue = rows.queue(found.quotaKey(), now);
    byte[] request = rows.request(found);
    if (request == null || !queue.waits(found.lane(), found.number())) {
      return false;
    }
    rows.change(found.quotaKey(), queue, queue.remove(found.lane(), request.length));
    putAside(id, found, request, reason, now);
    return true;
  }

  /** Puts aside a released request that cannot be run. */
  void putAside(DeferredId id, PlaceRow place, byte[] request, String reason, long now) {
    rows.delete(id, place);
    ids.put(id, KnownIds.Known.PUT_ASIDE, now / NANOS_PER_MILLI);
    output.deadLetter(id.id(), place.quotaKey().toString(), request, reason);
  }

  /**
   * Takes out waiting requests of a quota key.
   *
   * @param untilMillis requests handed over later stay
   * @param most largest number to take out
   * @return the number taken out; less than {@code most} if no more are left
   */
  int removeAll(QuotaKey key, long untilMillis, String reason, int most, long now) {
    int removed = 0;
    for (Lane lane : Lane.values()) {
      long from = rows.queue(key, now).lane(lane).first();
      while (removed < most) {
        KeyQueue queue = rows.queue(key, now);
        Optional<QueueRows.Numbered> next = rows.first(key, lane, from, queue.lane(lane).next());
        if (next.isEmpty()) {
          break;
        }
        from = next.get().number() + 1;
        DeferredRequest request = decode(next.get().request());
        if (request.deferredMillis() <= untilMillis) {
          rows.change(key, queue, queue.remove(lane, next.get().request().length));
          putAside(
              new DeferredId(key, request.id()),
              new PlaceRow(key, lane, next.get().number()),
              next.get().request(),
              reason,
              now);
          removed++;
        }
      }
    }
    return removed;
  }

  /** Takes out those whose deadline has passed. */
  int removeLate(int most, long now) {
    int removed = 0;
    for (DueIndex.Due late : rows.deadlines().take(now, most)) {
      DeferredId id = DeferredId.parse(QueueRows.text(late.row()));
      long deadlineMillis = late.atNanos() / NANOS_PER_MILLI;
      if (isDeadlineOf(id, deadlineMillis)) {
        boolean was = remove(id, "deadline passed: it waited until " + deadlineMillis, now);
        removed += was ? 1 : 0;
      }
    }
    return removed;
  }

  /** A request that was put aside may have come again with no deadline or a later one. */
  private boolean isDeadlineOf(DeferredId id, long deadlineMillis) {
    return rows.place(id)
        .map(rows::request)
        .map(request -> decode(request).deadlineMillis() == deadlineMillis)
        .orElse(false);
  }

  DeferredRequest decode(byte[] request) {
    return (DeferredRequest) patience.read(() -> wire.decodeDeferralInput(request));
  }
}
