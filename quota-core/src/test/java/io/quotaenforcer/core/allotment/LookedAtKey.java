package io.quotaenforcer.core.allotment;

import static io.quotaenforcer.core.allotment.TestBook.MILLI;
import static io.quotaenforcer.core.allotment.TestBook.OFFSET;
import static io.quotaenforcer.core.allotment.TestBook.SECOND;
import static io.quotaenforcer.core.allotment.TestBook.START;
import static io.quotaenforcer.core.allotment.TestBook.key;
import static io.quotaenforcer.core.allotment.TestBook.strict;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.TokenBucket;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.RateShare;
import io.quotaenforcer.core.message.RequestCost;
import io.quotaenforcer.core.rule.Rule;
import org.jspecify.annotations.Nullable;

/**
 * A key as the owner of the book looks at it, half a second after a border of its windows: in use,
 * with nothing held and nothing known, until a test says otherwise. The enforcer's clock is known.
 */
final class LookedAtKey {
  static final long NEVER = Long.MAX_VALUE / 4;
  static final Limit BUCKET = new TokenBucket(1_000, SECOND, 1_000);

  final BookSettings settings = BookSettings.defaults();
  PartitionLink link = new PartitionLink(settings, OFFSET);
  UnmetDemand unmet = new UnmetDemand(settings.idleAfterNanos());
  Rule rule = strict(BUCKET);
  @Nullable KnownQuota answer;
  @Nullable LeaseCell lease;
  @Nullable HeldShare share;
  boolean opens;
  long openable;
  boolean retired;
  long idleFrom = NEVER;
  long now = START + 500 * MILLI;
  final KeyDemand demand = new KeyDemand(new BookContext(settings, 10, new KeyHash(1, 2)), now);
  private long asked;

  LookedAtKey() {
    answersIn(5 * MILLI);
    demand.measure(view(), 0);
  }

  LookedAtKey of(Limit limit) {
    rule = strict(limit);
    return this;
  }

  /** The enforcer answers after so long. */
  void answersIn(long loopNanos) {
    link = new PartitionLink(settings, OFFSET);
    link.answered(now - loopNanos, now - loopNanos + OFFSET, now);
  }

  /** As many permits are asked for in the next second; it says nothing of what came before. */
  LookedAtKey asks(long perSecond) {
    return asks(perSecond, SECOND);
  }

  /** So many permits are asked for in a time. */
  LookedAtKey asks(long permits, long nanos) {
    now += nanos;
    asked += permits;
    demand.measure(view(), asked);
    return this;
  }

  /** Leaves so much of the limit, until a second from now or the window's end. */
  LookedAtKey left(long permits) {
    answer = new KnownQuota(rule.limit().capacity() - permits, permits, reset(), false, 0);
    return this;
  }

  LookedAtKey scarce(long permits) {
    answer = new KnownQuota(0, permits, reset(), true, 0);
    return this;
  }

  private long reset() {
    Limit limit = rule.limit();
    return limit instanceof WindowedLimit
        ? limit.windowEnd(limit.windowStart(now + OFFSET))
        : now + OFFSET + SECOND;
  }

  LookedAtKey leased(long permits, long validUntil) {
    Limit limit = rule.limit();
    lease = new LeaseCell(5, limit.cellWindow(now + OFFSET), permits, now - SECOND, validUntil);
    return this;
  }

  LookedAtKey leased(long permits) {
    return leased(permits, NEVER);
  }

  /** Has a share, without a permit in it; a bucket's holds a quarter of what goes with its rate. */
  LookedAtKey shared(long permits, long validUntil) {
    return shared(new RateShare(1, permits, permits * 250), validUntil);
  }

  LookedAtKey shared(RateShare terms, long validUntil) {
    share = new HeldShare(7, terms, view(), validUntil, now + OFFSET);
    return this;
  }

  LookedAtKey shared(long permits) {
    return shared(permits, NEVER);
  }

  /** A share of windows has its permits of the current one, of which these are taken. */
  LookedAtKey sharedWindow(long permits, long taken) {
    shared(permits);
    share.beginWindows(new BookContext(settings, 10, new KeyHash(1, 2)), view(), new SealedCells());
    if (taken > 0 && share.tryTake(taken, now) == null) {
      throw new AssertionError("must be there: taken=" + taken);
    }
    return this;
  }

  LookedAtKey newTerms() {
    RateShare terms = new RateShare(2, share.cell().permits(), share.cell().permits() * 250);
    share.follow(terms, NEVER, view(), now + OFFSET);
    return this;
  }

  KeyView view() {
    return new KeyView(
        KeyTerms.of(key("rule", "42"), rule), link, unmet, RequestCost.ONE, retired, idleFrom, now);
  }

  JudgedKey judged() {
    return new JudgedKey(view(), 10, answer, lease, share, opens, openable);
  }
}
