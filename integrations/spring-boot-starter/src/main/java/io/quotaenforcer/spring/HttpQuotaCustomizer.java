package io.quotaenforcer.spring;

import io.quotaenforcer.http.HttpQuota;

/** A bean that changes how requests are decided and answered, after all properties were set. */
@FunctionalInterface
public interface HttpQuotaCustomizer {

  /** Called once, at the start. */
  void customize(HttpQuota.Builder builder);
}
