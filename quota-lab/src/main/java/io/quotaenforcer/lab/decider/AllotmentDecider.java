package io.quotaenforcer.lab.decider;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.spi.ClientTelemetry;
import io.quotaenforcer.client.spi.Clocks;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.PermitSource;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import java.time.Duration;

/** Decides by allotments: an admission client as any service would embed it. */
public final class AllotmentDecider implements Decider {
  private final AdmissionClient client;

  private AllotmentDecider(AdmissionClient client) {
    this.client = client;
  }

  /** Starts a client of one domain. Does not wait for Kafka. */
  public static AllotmentDecider start(
      String bootstrapServers,
      String domain,
      String instance,
      Clocks clocks,
      ClientTelemetry telemetry) {
    return new AllotmentDecider(
        AdmissionClient.builder()
            .bootstrapServers(bootstrapServers)
            .domains(domain)
            .instance(instance)
            .clocks(clocks)
            .telemetry(telemetry)
            .build());
  }

  @Override
  public void decide(int key, Request request, Recorder log) {
    Decision decision = client.decide(request);
    RuleDecision by = decision.rule().orElseThrow();
    PermitSource source = decision.admitted() ? by.source() : PermitSource.NONE;
    log.record(by.atNanos(), key, request.cost(), source, by.windowStartNanos());
  }

  @Override
  public boolean awaitRules(Duration timeout) throws InterruptedException {
    return client.awaitRules(timeout);
  }

  @Override
  public void close() {
    client.close();
  }
}
