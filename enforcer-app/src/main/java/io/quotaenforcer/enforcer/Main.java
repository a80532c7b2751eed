package io.quotaenforcer.enforcer;

import io.quotaenforcer.enforcer.cli.Quota;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Quota.run(arguments));
  }
}
