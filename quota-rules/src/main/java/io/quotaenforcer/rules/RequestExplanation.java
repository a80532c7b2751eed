package io.quotaenforcer.rules;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.hash.HashKeys;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Effect of the rules on one request.
 *
 * @param request without the values that a rule hashes
 * @param verdicts one for each rule, in the order of the rules
 * @param partitions of the topics
 * @param maxInstances instances that bounds are computed for
 */
public record RequestExplanation(
    Request request, List<RuleVerdict> verdicts, int partitions, int maxInstances) {

  public RequestExplanation {
    verdicts = List.copyOf(verdicts);
  }

  /** For a request whose values no rule hashes, or are already hashed. */
  public static RequestExplanation of(
      Request request, Collection<Rule> rules, int partitions, int maxInstances) {
    return of(request, HashKeys.NONE, rules, partitions, maxInstances);
  }

  /**
   * As a client would decide. Values that a rule hashes are not in the explanation.
   *
   * @param keys that values are hashed by
   */
  public static RequestExplanation of(
      Request request, HashKeys keys, Collection<Rule> rules, int partitions, int maxInstances) {
    Set<String> hashed = RuleSet.of(rules).hashed();
    Request shown = keys.leaving(request, hashed);
    return new RequestExplanation(
        shown,
        rules.stream()
            .map(
                rule ->
                    RuleVerdict.of(
                        rule,
                        new RuleVerdict.Asked(request, shown, keys),
                        partitions,
                        maxInstances))
            .toList(),
        partitions,
        maxInstances);
  }

  public List<RuleVerdict> matching() {
    return verdicts.stream().filter(RuleVerdict::matches).toList();
  }

  /** Attributes of the request that no rule uses: they may be mistyped. */
  public List<String> notes() {
    Set<String> known = new TreeSet<>();
    verdicts.forEach(it -> it.conditions().forEach(one -> known.add(one.attribute())));
    List<String> notes = new ArrayList<>();
    for (RuleVerdict verdict : matching()) {
      if (verdict.outcome() instanceof RuleVerdict.Unhashed unhashed) {
        notes.add(
            "%s hashes %s: give the keys (--hash-keys), or the hash itself"
                .formatted(verdict.rule().id(), unhashed.attribute()));
      }
    }
    for (String name : new TreeSet<>(request.attributes().keySet())) {
      if (!known.contains(name) && !verdicts.isEmpty()) {
        notes.add("no rule uses the attribute " + name + Words.didYouMean(name, known, ""));
      }
    }
    return notes;
  }
}
