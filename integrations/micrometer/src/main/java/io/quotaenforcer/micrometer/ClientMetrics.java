package io.quotaenforcer.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.ClientStatus;
import java.util.function.ToDoubleFunction;

/**
 * An admission client's permits and waiting requests, read each time the registry asks.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>is</th></tr>
 *   <tr><td>rate_limiting.queued_requests</td><td>requests that wait for permits</td></tr>
 *   <tr><td>rate_limiting.rules</td><td>rules in force; 0 as long as none are known</td></tr>
 *   <tr><td>rate_limiting.keys</td><td>quota keys in use</td></tr>
 *   <tr><td>rate_limiting.permits.held</td><td>permits at hand that were granted</td></tr>
 *   <tr><td>rate_limiting.permits.opened</td><td>permits taken by openings (a counter)</td></tr>
 *   <tr><td>rate_limiting.unanswered</td><td>seconds that the oldest report without an answer has
 *       waited for one</td></tr>
 *   <tr><td>rate_limiting.partitions.away</td><td>partitions whose enforcer does not answer; above 0,
 *       some rules decide as {@code on-unavailable} says, or soon will: alert on it</td></tr>
 * </table>
 */
public final class ClientMetrics implements MeterBinder {
  private final AdmissionClient client;

  /** The metrics of one client; it is not kept from being closed. */
  public ClientMetrics(AdmissionClient client) {
    this.client = client;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, "rate_limiting.queued_requests", "requests", ClientStatus::waiting);
    gauge(registry, "rate_limiting.rules", "rules", ClientStatus::rules);
    gauge(registry, "rate_limiting.keys", "keys", ClientStatus::keys);
    gauge(registry, "rate_limiting.permits.held", "permits", ClientStatus::held);
    gauge(
        registry,
        "rate_limiting.unanswered",
        "seconds",
        status -> status.unanswered().toMillis() / 1e3);
    gauge(registry, "rate_limiting.partitions.away", "partitions", ClientStatus::partitionsAway);
    FunctionCounter.builder("rate_limiting.permits.opened", client, each -> each.status().opened())
        .baseUnit("permits")
        .tags(tags())
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String unit, ToDoubleFunction<ClientStatus> value) {
    Gauge.builder(name, client, each -> value.applyAsDouble(each.status()))
        .baseUnit(unit)
        .tags(tags())
        .register(registry);
  }

  private Tags tags() {
    return Tags.of("instance", client.instance());
  }
}
