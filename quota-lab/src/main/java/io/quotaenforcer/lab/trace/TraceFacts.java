package io.quotaenforcer.lab.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.lab.verdict.VerdictTerms;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything besides the decisions that a third party needs to recompute a verdict: {@code
 * rules.json} of a trace.
 *
 * @param instances names of the instances; the decisions of each are in {@code <name>.csv}
 * @param maxInstances divisor of a shared opening
 * @param labelToleranceMicros how far a stamp may lie outside its window
 * @param sliceMicros length of the slices of time in which demand is measured
 * @param loopMicros time from report to answer, by which balanced rules are judged; null if none
 *     was measured: then they are judged by the worst case
 * @param countDelayMicros age of the count in the comparison with a plain delayed count
 * @param overridden facts of quota keys with other limits than their rule
 * @param denied quota keys whose requests are all throttled
 */
public record TraceFacts(
    List<String> instances,
    int maxInstances,
    long labelToleranceMicros,
    long sliceMicros,
    @Nullable Long loopMicros,
    long countDelayMicros,
    List<RuleFacts> rules,
    Map<String, RuleFacts> overridden,
    Set<String> denied) {
  static final String FILE_NAME = "rules.json";

  public TraceFacts {
    instances = List.copyOf(instances);
    rules = List.copyOf(rules);
    overridden = Map.copyOf(overridden);
    denied = Set.copyOf(denied);
  }

  public static TraceFacts of(
      List<String> instances, VerdictTerms terms, long countDelayNanos, List<Rule> rules) {
    return new TraceFacts(
        instances,
        terms.maxInstances(),
        terms.labelToleranceNanos() / 1000,
        terms.sliceNanos() / 1000,
        null,
        countDelayNanos / 1000,
        rules.stream().map(RuleFacts::of).toList(),
        Map.of(),
        Set.of());
  }

  /** The same with a loop that was measured. */
  TraceFacts withLoop(long loopNanos) {
    return new TraceFacts(
        instances,
        maxInstances,
        labelToleranceMicros,
        sliceMicros,
        loopNanos / 1000,
        countDelayMicros,
        rules,
        overridden,
        denied);
  }

  /** The same facts with those of quota keys that have overrides. */
  TraceFacts withOverrides(Map<String, RuleFacts> newOverridden, Set<String> newDenied) {
    return new TraceFacts(
        instances,
        maxInstances,
        labelToleranceMicros,
        sliceMicros,
        loopMicros,
        countDelayMicros,
        rules,
        newOverridden,
        newDenied);
  }

  /** The facts of a rule for one of its quota keys. */
  RuleFacts of(RuleFacts rule, String key) {
    return overridden.getOrDefault(key, rule);
  }

  /** The traced rules, as far as a verdict needs them. */
  List<Rule> toRules() {
    return rules.stream()
        .map(
            rule ->
                rule.toRule(
                    overridden.entrySet().stream()
                        .filter(it -> it.getValue().rule().equals(rule.rule()))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)),
                    denied.stream()
                        .filter(key -> QuotaKey.parse(key).rule().toString().equals(rule.rule()))
                        .toList()))
        .toList();
  }

  /** The loop of the verdict that the trace was made with. */
  public OptionalLong loop() {
    return loopMicros == null ? OptionalLong.empty() : OptionalLong.of(loopMicros * 1000);
  }

  /** The terms of the verdict that the trace was made with. */
  public VerdictTerms terms() {
    return new VerdictTerms(
        instances.size(), maxInstances, labelToleranceMicros * 1000, sliceMicros * 1000);
  }

  String toJson() {
    try {
      return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("rules.json could not be written", e);
    }
  }

  static TraceFacts parse(String json) {
    try {
      return new ObjectMapper().readValue(json, TraceFacts.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "must be the facts of a trace: " + FILE_NAME + ": " + e.getOriginalMessage(), e);
    }
  }
}
