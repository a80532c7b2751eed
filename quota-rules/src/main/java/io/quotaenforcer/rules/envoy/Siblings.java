package io.quotaenforcer.rules.envoy;

import io.quotaenforcer.core.match.Matcher;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Selection among the descriptors of one list: the one with the request's value, else the first
 * pattern that matches, else the one without a value.
 */
final class Siblings {
  private final List<Descriptor> all;

  /** By the descriptor that they precede: there may be thousands, and each is needed. */
  private final Map<Descriptor, Set<Descriptor>> values = new IdentityHashMap<>();

  Siblings(List<Descriptor> all) {
    this.all = List.copyOf(all);
  }

  /** Whether an earlier one always takes precedence over it. */
  boolean isNeverReached(Descriptor one) {
    return patternsBefore(one).stream()
        .anyMatch(other -> Values.covers(other.value(), one.value()));
  }

  /** The patterns that precede it for some of its values. */
  List<Descriptor> patternsBefore(Descriptor one) {
    if (one.value() instanceof Matcher.Exact) {
      return List.of();
    }
    int end = isPattern(one) ? all.indexOf(one) : all.size();
    return all.subList(0, end).stream()
        .filter(other -> other.key().equals(one.key()) && isPattern(other))
        .filter(other -> Values.overlap(other.value(), one.value()))
        .toList();
  }

  /**
   * Siblings with a single value that this one would match if neither they nor the patterns
   * existed.
   */
  List<Descriptor> valuesBefore(Descriptor one) {
    if (one.value() instanceof Matcher.Exact) {
      return List.of();
    }
    List<Descriptor> patterns = patternsBefore(one);
    return all.stream()
        .filter(other -> other.key().equals(one.key()) && other.value() instanceof Matcher.Exact)
        .filter(other -> Values.covers(one.value(), other.value()))
        .filter(
            other ->
                patterns.stream()
                    .noneMatch(pattern -> Values.covers(pattern.value(), other.value())))
        .toList();
  }

  /** Whether one's limit can be an override in the rule of the other. */
  boolean folds(Descriptor one, Descriptor into) {
    return into.value() instanceof Matcher.Any
        && values.computeIfAbsent(into, this::valuesOf).contains(one)
        && isPlain(one)
        && isPlain(into)
        && one.shadow() == into.shadow()
        && period(one) == period(into);
  }

  /** Whether it is an override in another's rule. */
  boolean isFolded(Descriptor one) {
    return all.stream().anyMatch(into -> into != one && folds(one, into));
  }

  private Set<Descriptor> valuesOf(Descriptor one) {
    Set<Descriptor> before = Collections.newSetFromMap(new IdentityHashMap<>());
    before.addAll(valuesBefore(one));
    return before;
  }

  private static boolean isPlain(Descriptor one) {
    return one.isLimited() && one.nested().isEmpty() && one.limit().orElseThrow().standsAlone();
  }

  private static long period(Descriptor one) {
    return one.limit().orElseThrow().window().orElseThrow().periodNanos();
  }

  private static boolean isPattern(Descriptor one) {
    return one.value() instanceof Matcher.Prefix || one.value() instanceof Matcher.Wildcard;
  }
}
