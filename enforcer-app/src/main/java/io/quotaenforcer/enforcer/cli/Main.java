package io.quotaenforcer.enforcer.cli;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Quota.run(arguments));
  }
}
