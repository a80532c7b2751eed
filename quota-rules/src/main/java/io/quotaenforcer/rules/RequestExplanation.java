package io.quotaenforcer.rules;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.rule.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Effect of the rules on one request.
 *
 * @param verdicts one for each rule, in the order of the rules
 * @param partitions of the topics
 * @param maxInstances instances that bounds are computed for
 */
public record RequestExplanation(
    Request request, List<RuleVerdict> verdicts, int partitions, int maxInstances) {

  public RequestExplanation {
    verdicts = List.copyOf(verdicts);
  }

  public static RequestExplanation of(
      Request request, Collection<Rule> rules, int partitions, int maxInstances) {
    return new RequestExplanation(
        request,
        rules.stream()
            .map(rule -> RuleVerdict.of(rule, request, partitions, maxInstances))
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
    for (String name : new TreeSet<>(request.attributes().keySet())) {
      if (!known.contains(name) && !verdicts.isEmpty()) {
        notes.add("no rule uses the attribute " + name + Words.didYouMean(name, known, ""));
      }
    }
    return notes;
  }
}
