package io.quotaenforcer.enforcer.query;

import java.net.URI;
import org.apache.kafka.streams.state.HostInfo;

/** The address of an enforcer's HTTP server. */
final class EnforcerUri {
  private EnforcerUri() {}

  static URI of(HostInfo enforcer, String scheme) {
    return URI.create(scheme + "://" + enforcer.host() + ":" + enforcer.port());
  }
}
