package io.quotaenforcer.enforcer.topology;

import io.quotaenforcer.core.adapt.InstanceLoads;
import io.quotaenforcer.core.adapt.ServiceLoad;
import io.quotaenforcer.core.message.LoadReport;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The loads of services, by the domains whose rules follow them. Used by one thread. */
final class ServiceLoads {
  private final Map<String, InstanceLoads> byDomain = new HashMap<>();

  /** Follows these domains, and no others. */
  void follow(Set<String> domains) {
    byDomain.keySet().retainAll(domains);
    domains.forEach(domain -> byDomain.computeIfAbsent(domain, each -> new InstanceLoads()));
  }

  /**
   * Takes in what an instance said.
   *
   * @param saidNanos when, by enforcer time
   */
  void heard(LoadReport report, long saidNanos) {
    byDomain.forEach(
        (domain, loads) -> {
          if (!report.isOf(domain)) {
            return;
          }
          if (report.leaving()) {
            loads.left(report.instance());
          } else {
            loads.heard(report.instance(), report.signal(), saidNanos);
          }
        });
  }

  ServiceLoad of(String domain, long now) {
    InstanceLoads loads = byDomain.get(domain);
    return loads == null ? ServiceLoad.UNKNOWN : loads.load(now);
  }
}
