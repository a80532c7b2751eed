package io.quotaenforcer.spring.autoconfigure;

import java.util.Map;

/** A connection to Kafka that a container or a platform gives, rather than a property. */
@FunctionalInterface
interface FoundConnection {

  /** As settings of an admission client. */
  Map<String, Object> settings();
}
