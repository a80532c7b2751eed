package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RequestEvent;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.core.rule.RuleSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rules that could not count one request event, because it has values in the clear that they
 * hash. For one event.
 */
final class EventsInTheClear implements RuleSet.Notes {
  private final UnsureEvents unsure;
  private final Map<RuleId, String> attributes = new TreeMap<>();

  EventsInTheClear(UnsureEvents unsure) {
    this.unsure = unsure;
  }

  @Override
  public void unsure(RuleId rule, String attribute) {
    unsure.add(rule, attribute);
  }

  @Override
  public void inTheClear(Rule rule, String attribute) {
    attributes.put(rule.id(), attribute);
  }

  /** Why it was not counted, without its values; empty if every rule could count it. */
  Optional<String> reason() {
    return attributes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "request event not counted by %s: it has %s in the clear, which they hash; the emitter needs hash.attributes and hash.keys.file or hash.keys"
                .formatted(
                    String.join(", ", attributes.keySet().stream().map(RuleId::toString).toList()),
                    String.join(", ", new TreeSet<>(attributes.values()))));
  }

  /** The event without the values that should have been hashed. */
  RequestEvent without(RequestEvent event) {
    Map<String, String> left = new HashMap<>(event.request().attributes());
    attributes.values().forEach(left::remove);
    return new RequestEvent(
        event.id(),
        Request.received(left, event.request().cost()),
        event.timeMicros(),
        event.outcome(),
        event.countedBy(),
        event.service());
  }
}
