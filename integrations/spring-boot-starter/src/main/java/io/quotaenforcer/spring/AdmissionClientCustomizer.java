package io.quotaenforcer.spring;

import io.quotaenforcer.client.AdmissionClientBuilder;

/** A bean that changes the admission client before it starts, after all properties were set. */
@FunctionalInterface
public interface AdmissionClientCustomizer {

  /** Called once, at the start. */
  void customize(AdmissionClientBuilder builder);
}
