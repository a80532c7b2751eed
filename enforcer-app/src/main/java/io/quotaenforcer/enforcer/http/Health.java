package io.quotaenforcer.enforcer.http;

/** How an enforcer is; may be asked at any time. */
public sealed interface Health {
  /** It counts and grants. */
  record Ready() implements Health {}

  /** It will be ready by itself: it loads rules, restores stores, or takes over. */
  record Starting(String reason) implements Health {}

  /** It tries again and again, and may heal once the cause is gone; a restart does not help. */
  record Failing(String reason) implements Health {}

  /** It will not be ready again: restart it. */
  record Failed(String reason) implements Health {}
}
