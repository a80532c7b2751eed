package io.quotaenforcer.enforcer.query;

import java.net.URI;
import java.util.List;

/** Asks which enforcers share the work. */
@FunctionalInterface
public interface EnforcersQuery {
  /**
   * Their HTTP addresses, in order.
   *
   * @throws NotReadyException while the asked one starts or stops
   */
  List<URI> enforcers();
}
