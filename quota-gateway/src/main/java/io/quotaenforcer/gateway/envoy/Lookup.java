package io.quotaenforcer.gateway.envoy;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor;
import io.quotaenforcer.gateway.envoy.proto.RateLimitDescriptor.RateLimitOverride;
import io.quotaenforcer.rules.envoy.GatewayLimit;
import io.quotaenforcer.rules.envoy.GatewayLimits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds what descriptors count by: in a configuration of Envoy's service if it knows the domain,
 * else among the rules of the domain. Safe for use by any number of threads.
 */
final class Lookup {
  private final GatewayLimits limits;
  private final DomainRules rules;

  Lookup(GatewayLimits limits, DomainRules rules) {
    this.limits = limits;
    this.rules = rules;
  }

  /**
   * The rule and values that each descriptor counts by; empty for one without a limit, and for one
   * whose limit another one of them replaces. None replaces an unlimited one.
   */
  List<Optional<Counted>> of(String domain, List<RateLimitDescriptor> descriptors) {
    List<Optional<Counted>> found = new ArrayList<>(descriptors.size());
    Set<String> replaced = new HashSet<>();
    for (RateLimitDescriptor descriptor : descriptors) {
      Optional<Counted> counted = of(domain, descriptor);
      counted.ifPresent(each -> replaced.addAll(each.replaces()));
      found.add(counted);
    }
    if (!replaced.isEmpty()) {
      found.replaceAll(
          each ->
              each.filter(
                  one -> one.isUnlimited() || one.name().filter(replaced::contains).isEmpty()));
    }
    return found;
  }

  private Optional<Counted> of(String domain, RateLimitDescriptor descriptor) {
    List<String> keys = new ArrayList<>(descriptor.getEntriesCount());
    List<String> values = new ArrayList<>(descriptor.getEntriesCount());
    for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
      keys.add(entry.getKey());
      values.add(entry.getValue());
    }
    if (descriptor.hasLimit()) {
      RateLimitOverride wanted = descriptor.getLimit();
      Optional<Counted> declared =
          rules.find(
              domain,
              keys,
              values,
              rule ->
                  rule.limit().permits() == Integer.toUnsignedLong(wanted.getRequestsPerUnit())
                      && rule.limit().periodNanos() == Units.nanos(wanted.getUnit()));
      if (declared.isPresent()) {
        return declared;
      }
    }
    return limits.knows(domain)
        ? limits.find(domain, keys, values).map(limit -> counted(limit, values))
        : rules.find(domain, keys, values, rule -> true);
  }

  private static Counted counted(GatewayLimit limit, List<String> values) {
    if (limit.counter().isEmpty()) {
      return new Counted(Optional.empty(), List.of(), 0, 0, Optional.of(limit));
    }
    GatewayLimit.Counter counter = limit.counter().get();
    List<String> key = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      if (counter.keyEntries()[i]) {
        key.add(values.get(i));
      }
    }
    RuleId rule = counter.rule();
    return new Counted(
        Optional.of(rule), key, counter.permits(), counter.periodNanos(), Optional.of(limit));
  }
}
