package io.quotaenforcer.server;

/** Health of an enforcer; may be asked for at any time. */
public sealed interface Health {
  /** Its name in answers and metrics. */
  String word();

  /** Counts and grants. */
  record Ready() implements Health {
    @Override
    public String word() {
      return "ready";
    }
  }

  /** Will become ready by itself: it loads rules, restores stores, or takes over partitions. */
  record Starting(String reason) implements Health {
    @Override
    public String word() {
      return "starting";
    }
  }

  /** Retries again and again, and may recover once the cause is gone; a restart does not help. */
  record Failing(String reason) implements Health {
    @Override
    public String word() {
      return "failing";
    }
  }

  /** Will not be ready again: restart it. */
  record Failed(String reason) implements Health {
    @Override
    public String word() {
      return "failed";
    }
  }
}
