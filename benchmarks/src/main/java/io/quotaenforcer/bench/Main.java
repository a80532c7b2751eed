package io.quotaenforcer.bench;

import io.quotaenforcer.enforcer.cli.Quota;

/** The program with its benchmarks. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Quota.run(BenchCommand.create(), arguments));
  }
}
