package io.quotaenforcer.spring.health;

import io.quotaenforcer.client.Admission;
import io.quotaenforcer.client.AdmissionClient;
import io.quotaenforcer.client.Readiness;
import io.quotaenforcer.client.StandaloneAdmission;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How an admission stands. Immutable.
 *
 * @param isReady whether requests are decided by rules
 * @param details for people
 */
record Standing(boolean isReady, Map<String, Object> details) {

  static Standing of(Admission admission) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("rules", admission.rules().rules().size());
    if (admission instanceof AdmissionClient client) {
      details.put("keys", client.keys());
    } else if (admission instanceof StandaloneAdmission standalone) {
      details.put("keys", standalone.keys());
    }
    Readiness readiness = admission.readiness();
    if (readiness instanceof Readiness.NotYet notYet) {
      details.put("why", notYet.why());
    } else if (readiness instanceof Readiness.OfLastTime last) {
      details.put("rulesAsOf", last.asOf().toString());
      details.put("why", last.why());
    } else if (readiness instanceof Readiness.Incomplete incomplete) {
      details.put("unreadable", incomplete.unreadable());
    }
    return new Standing(readiness.isReady(), details);
  }
}
