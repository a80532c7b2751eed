package io.quotaenforcer.client;

import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.HeldSlots;
import io.quotaenforcer.core.PermitCount;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.CountedUnder;
import io.quotaenforcer.core.rule.DemandClass;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A handle that looks its rule up again when other rules are in force. */
final class RuleHandle implements QuotaHandle {
  private final Decider decider;
  private final RuleId id;
  private final List<String> values;

  /** Name of the class of its requests; empty for the one that is served last. */
  private final String demandClass;

  /**
   * The newest that counted a key, by which slots go back whether or not it is counted by then;
   * null if none has.
   */
  private volatile @Nullable KeyTaker counting;

  private volatile Resolved resolved;

  /** The rules and permits that handles decide by. */
  interface Decider {
    /** The rules in force: the same object as long as they are the same. */
    RuleSet rules();

    /** The keys that values are hashed by: the same object as long as they are the same. */
    HashKeys hashKeys();

    /** The permits of a key of a rule in force, for requests of a class. */
    KeyTaker taker(Rule rule, QuotaKey quotaKey, int demandClass);

    /** The permits of both keys that values have while hash keys are rotated. */
    KeyTaker taker(RuleHandle handle, Rule rule, List<QuotaKey> quotaKeys);

    /** The answer where the key is not known: the rule hashes, and there is no key to do so. */
    Decision unhashed(Rule rule);

    /** Decides by the rule of a handle alone, and may wait for it. */
    CompletableFuture<Decision> decideAsync(RuleHandle handle, long permits, Duration maxWait);

    /** Like {@link #decideAsync}, of permits that may go back. */
    CompletableFuture<ReserveOutcome> reserveAsync(
        RuleHandle handle, long permits, Duration maxWait);

    /** The answer where no rule in force has the id, or it does not count the key. */
    Decision unmatched();

    /** The answer where the rule's key has other attributes by now. */
    Decision unfit(String why);
  }

  /** Takes permits of one quota key. */
  interface KeyTaker {
    boolean tryAcquire(long permits);

    Decision decide(long permits);

    /** Takes permits, or owes them. */
    void charge(long permits);

    /** Takes slots; null when there is no room. */
    @Nullable HeldSlots enter(long slots);

    /** Gives back slots that this one took, or another one of the rule and the values. */
    void leave(HeldSlots held, long slots);
  }

  private record Resolved(
      RuleSet rules, HashKeys hashKeys, KeyTaker taker, Optional<QuotaKey> quotaKey) {}

  /** Permits of a key that is not counted. */
  private record Uncounted(Supplier<Decision> answer) implements KeyTaker {
    @Override
    public boolean tryAcquire(long permits) {
      return decide(permits).admitted();
    }

    @Override
    public Decision decide(long permits) {
      PermitCount.checkCost("permits", permits);
      return answer.get();
    }

    @Override
    public void charge(long permits) {
      PermitCount.checkCost("permits", permits);
    }

    @Override
    public @Nullable HeldSlots enter(long slots) {
      return decide(slots).admitted() ? HeldSlots.NONE : null;
    }

    @Override
    public void leave(HeldSlots held, long slots) {}
  }

  private RuleHandle(
      Decider decider,
      RuleId id,
      List<String> values,
      String demandClass,
      @Nullable KeyTaker counting) {
    this.decider = decider;
    this.id = id;
    this.values = values;
    this.demandClass = demandClass;
    this.counting = counting;
    this.resolved = resolve(decider.rules(), decider.hashKeys());
  }

  /**
   * The handle of one key of a rule.
   *
   * @param rule {@code domain/rule-id}
   * @param isKnown whether the rules are known, so that one that is missing is a mistake
   * @throws IllegalArgumentException if the rule is missing, or the values do not fit its key
   */
  static RuleHandle of(Decider decider, boolean isKnown, String rule, String... keyValues) {
    RuleId id = RuleId.parse(rule);
    List<String> values = List.of(keyValues);
    RuleSet rules = decider.rules();
    Optional<Rule> found = rules.rule(id);
    if (found.isEmpty() && isKnown) {
      throw new IllegalArgumentException(
          "must be a rule that is in force: rule="
              + rule
              + " known="
              + rules.rules().stream().map(Rule::id).toList());
    }
    // Checks the values.
    found.ifPresent(each -> each.countedUnder(values, decider.hashKeys()));
    return new RuleHandle(decider, id, values, "", null);
  }

  @Override
  public QuotaHandle ofClass(String name) {
    Optional<Rule> found = decider.rules().rule(id);
    if (found.isPresent() && found.get().classes().indexOf(name).isEmpty()) {
      List<String> names = found.get().classes().all().stream().map(DemandClass::name).toList();
      throw new IllegalArgumentException(
          "must be a class of " + id + ": demandClass=" + name + " classes=" + names);
    }
    return new RuleHandle(decider, id, values, name, counting);
  }

  @Override
  public boolean tryAcquire(long permits) {
    return current().taker.tryAcquire(permits);
  }

  @Override
  public Decision decide(long permits) {
    return current().taker.decide(permits);
  }

  @Override
  public CompletableFuture<Decision> decideAsync(long permits, Duration maxWait) {
    RuleSet rules = decider.rules();
    return current().quotaKey.isEmpty() && rules.rule(id).isPresent()
        ? CompletableFuture.completedFuture(decide(permits))
        : decider.decideAsync(this, permits, maxWait);
  }

  @Override
  public CompletableFuture<ReserveOutcome> reserveAsync(long permits, Duration maxWait) {
    RuleSet rules = decider.rules();
    return current().quotaKey.isEmpty() && rules.rule(id).isPresent()
        ? CompletableFuture.completedFuture(uncounted(decide(permits)))
        : decider.reserveAsync(this, permits, maxWait);
  }

  /** For requests that are not counted: nothing was taken, so nothing goes back. */
  private static ReserveOutcome uncounted(Decision decision) {
    return decision.admitted()
        ? Reservation.of(decision, 0, actual -> true)
        : new ReserveOutcome.NotReserved(decision);
  }

  @Override
  public void charge(long permits) {
    current().taker.charge(permits);
  }

  @Override
  public @Nullable HeldSlots tryEnter(long slots) {
    return current().taker.enter(slots);
  }

  @Override
  public void leave(HeldSlots held, long slots) {
    KeyTaker newest = counting;
    if (newest != null) {
      newest.leave(held, slots);
    }
  }

  @Override
  public RuleId rule() {
    return id;
  }

  @Override
  public Optional<QuotaKey> quotaKey() {
    return current().quotaKey;
  }

  /** The index of its requests' class. */
  int demandClass(Rule rule) {
    return rule.classes().indexOf(demandClass).orElse(rule.classes().lastDeclared());
  }

  String demandClass() {
    return demandClass;
  }

  /** Values of the rule's key attributes. */
  List<String> values() {
    return values;
  }

  private Resolved current() {
    Resolved known = resolved;
    RuleSet rules = decider.rules();
    HashKeys hashKeys = decider.hashKeys();
    if (known.rules == rules && known.hashKeys == hashKeys) {
      return known;
    }
    Resolved newest = resolve(rules, hashKeys);
    resolved = newest;
    return newest;
  }

  private Resolved resolve(RuleSet rules, HashKeys hashKeys) {
    Optional<Rule> found = rules.rule(id);
    if (found.isEmpty()) {
      return uncounted(rules, hashKeys, decider::unmatched);
    }
    Rule rule = found.get();
    CountedUnder counted;
    try {
      counted = rule.countedUnder(values, hashKeys);
    } catch (IllegalArgumentException e) {
      Decision unfit = decider.unfit("a handle of " + id + " " + e.getMessage());
      return uncounted(rules, hashKeys, () -> unfit);
    }
    if (!(counted instanceof CountedUnder.Keys known)) {
      return uncounted(rules, hashKeys, () -> decider.unhashed(rule));
    }
    List<QuotaKey> all = known.all();
    if (all.isEmpty()) {
      return uncounted(rules, hashKeys, decider::unmatched);
    }
    KeyTaker taker =
        all.size() == 1
            ? decider.taker(rule, all.get(0), demandClass(rule))
            : decider.taker(this, rule, all);
    counting = taker;
    return new Resolved(rules, hashKeys, taker, Optional.of(all.get(0)));
  }

  private static Resolved uncounted(RuleSet rules, HashKeys keys, Supplier<Decision> answer) {
    return new Resolved(rules, keys, new Uncounted(answer), Optional.empty());
  }
}
