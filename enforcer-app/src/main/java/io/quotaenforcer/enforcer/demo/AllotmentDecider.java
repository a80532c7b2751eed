package io.quotaenforcer.enforcer.demo;

import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.core.Decision;
import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.RuleDecision;
import java.time.Duration;

/** Decides by allotments: an admission client as any service would embed it. */
final class AllotmentDecider implements Decider {
  private final AdmissionClient client;

  AllotmentDecider(AdmissionClient client) {
    this.client = client;
  }

  @Override
  public void decide(int key, Request request, Recorder log) {
    Decision decision = client.decide(request);
    RuleDecision by = decision.rule().orElseThrow();
    log.record(by.atNanos(), key, request.cost(), decision.admitted(), by.windowStartNanos());
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
