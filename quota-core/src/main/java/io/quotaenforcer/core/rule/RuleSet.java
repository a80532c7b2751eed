package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.algorithm.ConcurrencyLimit;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.match.AttributeValues;
import io.quotaenforcer.core.match.MatchIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All rules that are in force, ready to be matched by an index. Immutable: a change makes a new
 * set. Many changes in a row cost no more than one: sets that nobody looks into are never made.
 */
public final class RuleSet {
  private static final RuleSet EMPTY = new RuleSet(Made.of(new TreeMap<>()));
  private static final Comparator<Match> BY_RULE = Comparator.comparing(match -> match.rule().id());

  private volatile Content content;
  private volatile @Nullable MatchIndex<Rule> index;
  private volatile @Nullable Set<String> hashed;

  private RuleSet(Content content) {
    this.content = content;
  }

  /** The content of a set, or what it is made from when first looked into. */
  private sealed interface Content {}

  /**
   * @param declared as they were published
   * @param rules the same, of which those that others borrow of have a class for that
   * @param borrowing by the rule that borrows
   */
  private record Made(
      TreeMap<RuleId, Rule> declared,
      TreeMap<RuleId, Rule> rules,
      Map<RuleId, Borrowing> borrowing,
      Map<RuleId, Rule> borrowed)
      implements Content {

    static Made of(TreeMap<RuleId, Rule> declared) {
      TreeMap<RuleId, Rule> rules = declared;
      Map<RuleId, Borrowing> borrowing = Map.of();
      Map<RuleId, Rule> borrowed = Map.of();
      for (Rule rule : declared.values()) {
        Borrowing found = rule.elastic().map(by -> borrowing(rule, by, declared)).orElse(null);
        if (found != null) {
          if (borrowing.isEmpty()) {
            rules = new TreeMap<>(declared);
            borrowing = new HashMap<>();
            borrowed = new HashMap<>();
          }
          rules.computeIfPresent(
              found.pool(), (id, pool) -> pool.withClasses(pool.classes().withBorrowed()));
          borrowing.put(rule.id(), found);
          borrowed.put(found.rule().id(), found.rule());
        }
      }
      return new Made(declared, rules, borrowing, borrowed);
    }

    /** Null when there is nothing to borrow of, or the id is taken. */
    private static @Nullable Borrowing borrowing(
        Rule rule, Elastic by, TreeMap<RuleId, Rule> declared) {
      Rule pool = declared.get(new RuleId(rule.id().domain(), by.pool()));
      if (pool == null) {
        return null;
      }
      boolean isPossible =
          rule.id().id().length() <= Elastic.MAX_ID_CHARS
              && pool.elastic().isEmpty()
              && isShared(pool)
              && isShared(rule)
              && pool.classes().mayLend()
              && !declared.containsKey(Elastic.borrowedId(rule.id()));
      return isPossible ? new Borrowing(rule.borrowing(by), pool.id()) : null;
    }

    private static boolean isShared(Rule rule) {
      return rule.enforcement() != Enforcement.PER_INSTANCE
          && !(rule.limit() instanceof ConcurrencyLimit);
    }
  }

  /** A rule that is put into another set, or taken out of it. */
  private record Change(RuleSet from, RuleId id, @Nullable Rule rule) implements Content {}

  /**
   * How quota keys of an {@linkplain Elastic elastic} rule borrow.
   *
   * @param rule by which that is counted
   * @param pool of which they borrow
   */
  public record Borrowing(Rule rule, RuleId pool) {}

  public static RuleSet empty() {
    return EMPTY;
  }

  public static RuleSet of(Collection<Rule> rules) {
    TreeMap<RuleId, Rule> byId = new TreeMap<>();
    for (Rule rule : rules) {
      byId.put(rule.id(), rule);
    }
    return new RuleSet(Made.of(byId));
  }

  public RuleSet with(Rule rule) {
    return new RuleSet(new Change(this, rule.id(), rule));
  }

  public RuleSet without(RuleId id) {
    return new RuleSet(new Change(this, id, null));
  }

  /** The same rules, all enforced alike: a queue's owner spends nothing but what it was granted. */
  public RuleSet withEnforcement(Enforcement enforcement) {
    return of(declared().stream().map(rule -> rule.withEnforcement(enforcement)).toList());
  }

  /** A rule, or the one that counts what another one {@linkplain Elastic borrows}. */
  public Optional<Rule> rule(RuleId id) {
    Made made = made();
    Rule declared = made.rules().get(id);
    return Optional.ofNullable(declared == null ? made.borrowed().get(id) : declared);
  }

  /** Every rule that requests can match, ordered by domain and id. */
  public Collection<Rule> rules() {
    return List.copyOf(made().rules().values());
  }

  /** Every rule as it was published, ordered by domain and id. */
  public Collection<Rule> declared() {
    return List.copyOf(made().declared().values());
  }

  /** The rules that count what others borrow. */
  public Collection<Rule> borrowed() {
    return made().borrowed().values();
  }

  /** How quota keys of a rule borrow; null for a rule that cannot. */
  public @Nullable Borrowing borrowing(RuleId id) {
    return made().borrowing().get(id);
  }

  /**
   * The rules that match a request, each with the quota key that it counts, in order of rule. The
   * list is the caller's.
   */
  public List<Match> match(Request request) {
    return match(request, HashKeys.NONE, Notes.NONE);
  }

  /** Like {@link #match(Request)}, of a request whose values are hashed already. */
  public List<Match> match(Request request, Notes notes) {
    return match(request, HashKeys.NONE, notes);
  }

  /**
   * Like {@link #match(Request)}.
   *
   * @param keys that values are hashed by; with two of them a rule that hashes matches twice
   * @param notes is told of what is not certain
   */
  public List<Match> match(Request request, HashKeys keys, Notes notes) {
    Matching matching = new Matching(request, keys, notes);
    index().find(matching, matching);
    return matching.inOrder();
  }

  /** Told of uncertainty about the rules that match a request. */
  public interface Notes {
    /** Nobody is told. */
    Notes NONE = (rule, attribute) -> {};

    /**
     * A rule is taken to match though its condition on an attribute was {@linkplain
     * io.quotaenforcer.core.match.Answer#GIVEN_UP given up}.
     */
    void unsure(RuleId rule, String attribute);

    /** A rule matches, and cannot count the request: a value that it hashes is in the clear. */
    default void inTheClear(Rule rule, String attribute) {}
  }

  /** The attributes of which a rule hashes the values. */
  public Set<String> hashed() {
    Set<String> known = hashed;
    if (known == null) {
      known =
          made().rules().values().stream()
              .flatMap(rule -> rule.key().hashed().stream())
              .collect(Collectors.toUnmodifiableSet());
      hashed = known;
    }
    return known;
  }

  /** A rule that matches a request, and the quota key that it counts the request under. */
  public record Match(Rule rule, QuotaKey quotaKey) {}

  /** Made when it is needed first. */
  MatchIndex<Rule> index() {
    MatchIndex<Rule> known = index;
    if (known == null) {
      known = RuleIndex.of(this, rule -> rule);
      index = known;
    }
    return known;
  }

  private Made made() {
    if (content instanceof Made made) {
      return made;
    }
    Made made = Made.of(make());
    content = made;
    return made;
  }

  /** From the nearest set that is made, with every change since; there may be very many. */
  private TreeMap<RuleId, Rule> make() {
    List<Change> changes = new ArrayList<>();
    Content at = content;
    while (at instanceof Change change) {
      changes.add(change);
      at = change.from().content;
    }
    TreeMap<RuleId, Rule> rules = new TreeMap<>(((Made) at).declared());
    for (int i = changes.size() - 1; i >= 0; i--) {
      Change change = changes.get(i);
      if (change.rule() == null) {
        rules.remove(change.id());
      } else {
        rules.put(change.id(), change.rule());
      }
    }
    return rules;
  }

  /** The attributes of a request, and the rules that were found for them. */
  private static final class Matching implements AttributeValues, MatchIndex.Found<Rule> {
    private final Request request;
    private final Map<String, String> attributes;
    private final HashKeys keys;
    private final Notes notes;
    private @Nullable List<Match> matches;

    Matching(Request request, HashKeys keys, Notes notes) {
      this.request = request;
      this.attributes = request.attributes();
      this.keys = keys;
      this.notes = notes;
    }

    @Override
    public @Nullable String get(String attribute) {
      return attributes.get(attribute);
    }

    @Override
    public int count() {
      return attributes.size();
    }

    @Override
    public Collection<String> names() {
      return attributes.keySet();
    }

    @Override
    public void found(Rule rule) {
      if (rule.key().hashes()) {
        foundHashing(rule);
        return;
      }
      QuotaKey key = rule.counted(attributes);
      if (key != null) {
        add(new Match(rule, key));
      }
    }

    private void foundHashing(Rule rule) {
      CountedUnder counted = rule.countedUnder(request, keys);
      if (counted instanceof CountedUnder.Keys known) {
        known.all().forEach(key -> add(new Match(rule, key)));
      } else if (counted instanceof CountedUnder.InTheClear clear) {
        notes.inTheClear(rule, clear.attribute());
      }
    }

    private void add(Match match) {
      if (matches == null) {
        matches = new ArrayList<>(4);
      }
      matches.add(match);
    }

    @Override
    public void foundUnsure(Rule rule, String attribute) {
      notes.unsure(rule.id(), attribute);
      found(rule);
    }

    List<Match> inOrder() {
      List<Match> found = matches;
      if (found == null) {
        return Collections.emptyList();
      }
      if (found.size() > 1) {
        found.sort(BY_RULE);
      }
      return found;
    }
  }
}
