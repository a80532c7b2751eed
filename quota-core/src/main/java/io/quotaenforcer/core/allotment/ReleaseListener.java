package io.quotaenforcer.core.allotment;

import io.quotaenforcer.core.QuotaKey;

/** Hears of slots of a concurrency limit that came back, while requests wait for some here. */
@FunctionalInterface
public interface ReleaseListener {
  /** Called by the thread that gave them back. */
  void released(QuotaKey key, long now);
}
