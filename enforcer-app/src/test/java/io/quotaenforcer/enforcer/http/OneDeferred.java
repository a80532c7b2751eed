package io.quotaenforcer.enforcer.http;

import io.quotaenforcer.core.Payload;
import io.quotaenforcer.core.Priority;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.deferral.Lane;
import io.quotaenforcer.core.message.DeferralInput.DeferredRequest;
import io.quotaenforcer.core.message.DeferralInput.ReplyTo;
import io.quotaenforcer.enforcer.query.Coverage;
import io.quotaenforcer.enforcer.query.CoveredAnswer;
import io.quotaenforcer.enforcer.query.DeferredEntry;
import io.quotaenforcer.enforcer.query.DeferredPlace;
import io.quotaenforcer.enforcer.query.DeferredQuery;
import io.quotaenforcer.enforcer.query.Page;
import io.quotaenforcer.enforcer.query.QueueStats;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * One request waits, whatever is asked about; its header and payload say {@link #SECRET}.
 *
 * @param isThere whether it is shown by its id
 */
public record OneDeferred(BooleanSupplier isThere) implements DeferredQuery {
  public static final String SECRET = "for whoever has the token";
  public static final String ID = "r1";

  private static final QuotaKey KEY = QuotaKey.parse("posts/per-user/4%202");
  private static final Coverage COVERAGE = new Coverage(List.of(0), Map.of(), List.of());

  public OneDeferred() {
    this(() -> true);
  }

  @Override
  public CoveredAnswer<List<QueueStats>> statsByRule(Where where) {
    return new CoveredAnswer<>(List.of(stats()), COVERAGE);
  }

  @Override
  public CoveredAnswer<Page<QueueStats>> statsByKey(Where where, int most) {
    return new CoveredAnswer<>(new Page<>(List.of(stats()), false), COVERAGE);
  }

  @Override
  public CoveredAnswer<Page<DeferredEntry>> list(
      Where where, Optional<DeferredPlace> after, int most) {
    return new CoveredAnswer<>(new Page<>(List.of(entry()), true), COVERAGE);
  }

  @Override
  public CoveredAnswer<List<DeferredEntry>> show(String id, Set<Integer> partitions) {
    boolean isShown = id.equals(ID) && isThere.getAsBoolean();
    return new CoveredAnswer<>(isShown ? List.of(entry()) : List.of(), COVERAGE);
  }

  private static QueueStats stats() {
    return new QueueStats("posts/per-user", 1, List.of(0L, 1L, 0L, 0L), 99, 0, 1000);
  }

  private static DeferredEntry entry() {
    byte[] payload = SECRET.getBytes(StandardCharsets.UTF_8);
    DeferredRequest request =
        new DeferredRequest(
            ID,
            KEY,
            Request.of("user", "4 2"),
            Payload.of(payload),
            Map.of("a", SECRET),
            Priority.HIGH,
            2000,
            1000,
            ReplyTo.NOBODY);
    return new DeferredEntry(
        new DeferredPlace(KEY, Lane.HIGH, 17), request, 50, payload.length, false);
  }
}
