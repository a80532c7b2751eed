package io.quotaenforcer.lab.command;

import io.quotaenforcer.cli.Quota;

/** The {@code quota} program, with all commands. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Quota.run(LabCommands::create, arguments));
  }
}
