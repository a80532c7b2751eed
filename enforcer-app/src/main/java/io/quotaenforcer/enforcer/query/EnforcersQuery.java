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

  /**
   * One that shared the work until lately, and does no more.
   *
   * @param seconds since when
   */
  record Gone(URI enforcer, long seconds) {}

  /** Those, by address; without any that is there again. */
  default List<Gone> gone() {
    return List.of();
  }
}
