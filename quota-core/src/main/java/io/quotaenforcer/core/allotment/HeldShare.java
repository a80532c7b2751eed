package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.algorithm.AtRest;
import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.algorithm.WindowedLimit;
import io.quotaenforcer.core.message.RateShare;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An instance's share of one limit, from its first terms to its end. Permits that renew are taken
 * from the cell of the share. Where they belong to windows, the instance makes a cell of each
 * window by itself, with as many permits as the terms say; never two of one window.
 *
 * <p>{@link #isValidAt}, {@link #isKeptAt}, {@link #isForLong}, {@link #holds}, {@link #tryTake},
 * {@link #pay}, {@link #inUse}, {@link #room}, {@link #nanosUntil} and {@link #isWindowDue} may be
 * called by any thread; everything else by who has locked the cells of the key.
 */
final class HeldShare {
  private final ShareCell cell;
  private final boolean ofWindows;
  private final RulesHeard rules;

  /** Local time until which the enforcer's word is enough; then the rules are to be known, too. */
  private volatile long toldUntilNanos = Long.MAX_VALUE;

  /**
   * Enforcer time: of windows that began before, the permits were others' when they were granted.
   */
  private long firstWindow;

  private volatile @Nullable LeaseCell current;
  private volatile @Nullable LeaseCell next;

  /** Local time from which the cell of another window is to be made. */
  private volatile long windowDueNanos;

  private long newestWindow = Long.MIN_VALUE;

  /**
   * @param enforcerNanos when the answer was made that grants the share
   */
  HeldShare(long id, RateShare terms, KeyView key, long validUntilNanos, long enforcerNanos) {
    Limit limit = key.limit();
    PartitionLink link = key.link();
    long before = limit.borderBefore(link.toEnforcer(key.now()));
    ShareCell.Border border = ShareCell.Border.of(before, link);
    this.cell = new ShareCell(id, terms, limit, border, enforcerNanos, key.now(), validUntilNanos);
    this.ofWindows = limit instanceof WindowedLimit;
    // A share that comes when nobody asks any more begins its first window with the next request.
    this.windowDueNanos = ofWindows ? key.now() : Long.MAX_VALUE;
    this.rules = link.rules();
    this.firstWindow = limit.windowStart(enforcerNanos);
  }

  ShareCell cell() {
    return cell;
  }

  /** Whether permits come as time passes, whatever the border of a window. */
  boolean isRenewing() {
    return !ofWindows;
  }

  /** Whether they come one by one, at a steady rate. */
  boolean isOneByOne() {
    return cell.isOneByOne();
  }

  boolean isValidAt(long now) {
    return cell.isValidAt(now) && (now < toldUntilNanos || rules.areKnownAt(now));
  }

  /** Notes when the report was sent that the enforcer has answered with these terms. */
  void told(long sentNanos, Limit limit) {
    long until = sentNanos + rules.goodForNanos();
    // It is as long when it has grown since.
    boolean mayRest = isSmall(limit) || toldUntilNanos != Long.MAX_VALUE;
    toldUntilNanos = mayRest && cell.validUntilNanos() > until ? until : Long.MAX_VALUE;
  }

  /** Whether it is so small, and so few permits are left in it, that they may be at rest. */
  boolean isFewLeft(Limit limit, long now) {
    return isSmall(limit) && left(now) <= AtRest.mostLeft(limit);
  }

  private boolean isSmall(Limit limit) {
    return cell.permits() > 0 && cell.isNoMoreThan(AtRest.most(limit));
  }

  private long left(long now) {
    return ofWindows && inUse(now) == null ? cell.permits() : room(now);
  }

  /** Whether it is kept, and may be valid again when the rules are known. */
  boolean isKeptAt(long now) {
    return cell.isValidAt(now);
  }

  /** Whether it is kept for so long yet. */
  boolean isKeptFor(long nanos, long now) {
    return isKeptAt(now) && cell.validUntilNanos() - now > nanos;
  }

  /** Whether it may be good for longer than something that was known is taken for true. */
  boolean isForLong() {
    return toldUntilNanos != Long.MAX_VALUE;
  }

  /** Whether a request of this cost may ever find room. */
  boolean holds(long permits) {
    return cell.holds(permits);
  }

  /** The cell that the permits were taken from; null when there is no room for them. */
  @Nullable Cell tryTake(long permits, long now) {
    if (!ofWindows) {
      return cell.tryTake(permits, now) ? cell : null;
    }
    LeaseCell first = current;
    if (first != null && first.tryTake(permits, now)) {
      return first;
    }
    LeaseCell of = next;
    if (of != null && of.tryTake(permits, now)) {
      return of;
    }
    of = current;
    // What was next may just have become current.
    return of != null && of != first && of.tryTake(permits, now) ? of : null;
  }

  /** Takes what is owed. */
  void pay(Debt debt, long now) {
    Cell of = inUse(now);
    if (of != null && debt.owed() > 0) {
      // Of two threads that pay at once, the second returns what it took.
      of.putBack(debt.pay(of.takeUpTo(debt.owed(), now)), now);
    }
  }

  /**
   * The cell that permits are now taken from; null while the cell of a window has not been made.
   */
  @Nullable Cell inUse(long now) {
    if (!isValidAt(now)) {
      return null;
    }
    if (!ofWindows) {
      return cell;
    }
    LeaseCell of = current;
    if (of == null || !of.isValidAt(now)) {
      of = next;
    }
    return of != null && of.isValidAt(now) ? of : null;
  }

  /** Permits that are there now. */
  long room(long now) {
    Cell of = inUse(now);
    return of instanceof LeaseCell window
        ? Math.max(0, window.room())
        : of == null ? 0 : of.roomAt(now);
  }

  /** Whether no permit fits in any more that comes after {@code nanos}. */
  boolean isFullWithin(long nanos, long now) {
    return !holds((long) (room(now) + cell.comingWithin(nanos)) + 1);
  }

  /** Time until {@code permits} have come; {@code Long.MAX_VALUE} if they never do. */
  long nanosUntil(long permits, long now) {
    if (!ofWindows || !holds(permits) || !isValidAt(now)) {
      return cell.nanosUntil(permits, now);
    }
    if (room(now) >= permits) {
      return 0;
    }
    LeaseCell following = next;
    boolean isMade = following != null && now < following.validFromNanos();
    long border = isMade ? Objects.requireNonNull(following).validFromNanos() : windowDueNanos;
    return border == Long.MAX_VALUE ? border : Math.max(0, border - now);
  }

  /** Whether a window may have begun of which there is no cell. */
  boolean isWindowDue(long now) {
    return now >= windowDueNanos && isValidAt(now);
  }

  /**
   * Keeps to newer terms, at once: what there is less of can no more be taken. What there is more
   * of was free in the enforcer's window when the answer was made, but not in one before.
   *
   * @param enforcerNanos when the answer was made
   */
  void follow(RateShare terms, long validUntilNanos, KeyView key, long enforcerNanos) {
    boolean isNewer = terms.number() > cell.number();
    if (isNewer && terms.permits() > cell.permits()) {
      firstWindow = Math.max(firstWindow, key.limit().windowStart(enforcerNanos));
    }
    cell.putOffBorders(key.link(), key.now());
    cell.follow(terms, validUntilNanos, enforcerNanos, key.now());
    if (ofWindows && cell.permits() > 0 && windowDueNanos == Long.MAX_VALUE) {
      // It had no permits. Where nobody asks any more, the next request begins its window.
      windowDueNanos = key.now();
    }
    for (LeaseCell of : windows()) {
      long window = of.windowStartNanos();
      of.validUntil(Math.min(validUntilNanos, lastUse(window, key)));
      if (isNewer) {
        boolean mayGrow = window >= key.limit().windowStart(enforcerNanos);
        // What was given back of a window is others', whatever the terms are.
        long most = Math.max(0, terms.permits() - of.givenBack());
        of.hold(mayGrow ? most : Math.min(most, of.held()));
      }
    }
  }

  /**
   * Makes the cell of the window of now, and of the next one shortly before that begins. An older
   * window's is sealed.
   */
  void beginWindows(BookContext context, KeyView key, SealedCells sealed) {
    long now = key.now();
    turn(key, sealed);
    if (!ofWindows || cell.permits() == 0 || !isValidAt(now)) {
      windowDueNanos = cell.permits() == 0 ? Long.MAX_VALUE : windowDueNanos;
      return;
    }
    long window = key.limit().windowStart(key.link().toEnforcer(now));
    begin(window, context, key, sealed);
    long end = localEnd(window, key);
    if (end - now <= aheadNanos(context.settings) && end < cell.validUntilNanos()) {
      begin(key.limit().windowEnd(window), context, key, sealed);
    }
    windowDueNanos = localEnd(Math.max(window, newestWindow), key);
  }

  /** Two looks of the owner at the key, when it looks at it most seldom. */
  private static long aheadNanos(BookSettings settings) {
    return 2 * settings.reportIntervalNanos();
  }

  private void begin(long window, BookContext context, KeyView key, SealedCells sealed) {
    if (window < firstWindow || window <= newestWindow || sealed.isFull()) {
      return;
    }
    newestWindow = window;
    long from = key.link().toLocal(window);
    long until = Math.min(cell.validUntilNanos(), lastUse(window, key));
    LeaseCell made =
        LeaseCell.ofShare(
            context.nextOpenedId(), window, cell.permits(), from, until, cell.number());
    if (from > key.now()) {
      next = made;
    } else {
      seal(current, key.now(), sealed);
      current = made;
    }
  }

  private static long localEnd(long window, KeyView key) {
    return key.link().toLocal(key.limit().windowEnd(window));
  }

  private static long lastUse(long window, KeyView key) {
    return key.link().toLocalEnd(key.limit().windowEnd(window));
  }

  /** Takes the next window's cell into use once it has begun, and seals that of a window before. */
  void turn(KeyView key, SealedCells sealed) {
    LeaseCell following = next;
    if (following != null && key.now() >= following.validFromNanos()) {
      seal(current, key.now(), sealed);
      current = following;
      next = null;
    }
    LeaseCell of = current;
    if (of != null
        && key.link().toEnforcer(key.now()) >= key.limit().voidAt(of.windowStartNanos())) {
      seal(of, key.now(), sealed);
      current = null;
    }
  }

  /** Gives back all of the current window's permits but those kept; how many it gave back. */
  long giveBackBeyond(long kept) {
    LeaseCell of = current;
    return of == null ? 0 : of.giveBack(of.room() - kept);
  }

  /** Has threads that race for the permits of a window find them in different places. */
  void spread(Spreading spreading) {
    LeaseCell of = current;
    if (of != null) {
      of.spread(spreading);
    }
  }

  /** Nothing more is taken of it. */
  void end(long now, SealedCells sealed) {
    seal(current, now, sealed);
    seal(next, now, sealed);
    sealed.seal(cell, now);
  }

  private static void seal(@Nullable Cell of, long now, SealedCells sealed) {
    if (of != null) {
      sealed.seal(of, now);
    }
  }

  /** Its cells that are not sealed. */
  List<Cell> cells() {
    return Stream.concat(Stream.<Cell>of(cell), windows().stream()).toList();
  }

  private List<LeaseCell> windows() {
    return Stream.<@Nullable LeaseCell>of(current, next).filter(Objects::nonNull).toList();
  }
}
