package io.quotaenforcer.client.internal.kafka;

import io.quotaenforcer.core.message.LoadReport;
import java.util.Optional;

/** Knows what is to be said of a service's load. Used by one thread; must not wait. */
public interface LoadSource {
  /** Of a service that says nothing. */
  LoadSource NONE =
      new LoadSource() {
        @Override
        public Optional<LoadReport> due(long now) {
          return Optional.empty();
        }

        @Override
        public Optional<LoadReport> leaving() {
          return Optional.empty();
        }
      };

  /**
   * What is to be said now, if anything.
   *
   * @param now by the instance's monotonic clock
   */
  Optional<LoadReport> due(long now);

  /** What is to be said at the end, if anything was said before. */
  Optional<LoadReport> leaving();
}
