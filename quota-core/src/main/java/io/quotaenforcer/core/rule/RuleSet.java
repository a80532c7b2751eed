package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.match.AttributeValues;
import io.quotaenforcer.core.match.MatchIndex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All rules that are in force, ready to be matched by an index. Immutable: a change makes a new
 * set. Many changes in a row cost no more than one: sets that nobody looks into are never made.
 */
public final class RuleSet {
  private static final RuleSet EMPTY = new RuleSet(new Made(new TreeMap<>()));
  private static final BiConsumer<RuleId, String> NOBODY = (rule, attribute) -> {};
  private static final Comparator<Match> BY_RULE = Comparator.comparing(match -> match.rule().id());

  private volatile Content content;
  private volatile @Nullable MatchIndex<Rule> index;

  private RuleSet(Content content) {
    this.content = content;
  }

  /** What is in a set, or what it is to be made of when somebody looks into it. */
  private sealed interface Content {}

  private record Made(TreeMap<RuleId, Rule> rules) implements Content {}

  /** A rule that is put into another set, or taken out of it. */
  private record Change(RuleSet from, RuleId id, @Nullable Rule rule) implements Content {}

  public static RuleSet empty() {
    return EMPTY;
  }

  public static RuleSet of(Collection<Rule> rules) {
    TreeMap<RuleId, Rule> byId = new TreeMap<>();
    for (Rule rule : rules) {
      byId.put(rule.id(), rule);
    }
    return new RuleSet(new Made(byId));
  }

  public RuleSet with(Rule rule) {
    return new RuleSet(new Change(this, rule.id(), rule));
  }

  public RuleSet without(RuleId id) {
    return new RuleSet(new Change(this, id, null));
  }

  /** The same rules, all enforced alike: a queue's owner spends nothing but what it was granted. */
  public RuleSet withEnforcement(Enforcement enforcement) {
    return of(byId().values().stream().map(rule -> rule.withEnforcement(enforcement)).toList());
  }

  public Optional<Rule> rule(RuleId id) {
    return Optional.ofNullable(byId().get(id));
  }

  /** Every rule, ordered by domain and id. */
  public Collection<Rule> rules() {
    return List.copyOf(byId().values());
  }

  /**
   * The rules that match a request, each with the quota key that it counts, in order of rule. The
   * list is the caller's.
   */
  public List<Match> match(Request request) {
    return match(request, NOBODY);
  }

  /**
   * As {@link #match(Request)}.
   *
   * @param unsure is told of each rule that is taken to match though its condition on an attribute
   *     was {@linkplain io.quotaenforcer.core.match.Answer#GIVEN_UP given up}
   */
  public List<Match> match(Request request, BiConsumer<RuleId, String> unsure) {
    Matching matching = new Matching(request.attributes(), unsure);
    index().find(matching, matching);
    return matching.inOrder();
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

  private TreeMap<RuleId, Rule> byId() {
    if (content instanceof Made made) {
      return made.rules();
    }
    TreeMap<RuleId, Rule> rules = make();
    content = new Made(rules);
    return rules;
  }

  /** From the nearest set that is made, with every change since; there may be very many. */
  private TreeMap<RuleId, Rule> make() {
    List<Change> changes = new ArrayList<>();
    Content at = content;
    while (at instanceof Change change) {
      changes.add(change);
      at = change.from().content;
    }
    TreeMap<RuleId, Rule> rules = new TreeMap<>(((Made) at).rules());
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
    private final Map<String, String> attributes;
    private final BiConsumer<RuleId, String> unsure;
    private @Nullable List<Match> matches;

    Matching(Map<String, String> attributes, BiConsumer<RuleId, String> unsure) {
      this.attributes = attributes;
      this.unsure = unsure;
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
      QuotaKey key = rule.counted(attributes);
      if (key != null) {
        if (matches == null) {
          matches = new ArrayList<>(4);
        }
        matches.add(new Match(rule, key));
      }
    }

    @Override
    public void foundUnsure(Rule rule, String attribute) {
      unsure.accept(rule.id(), attribute);
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
