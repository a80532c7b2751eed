package io.quotaenforcer.enforcer.cli;

/** What the exit codes of all commands mean. */
public final class ExitCode {
  public static final int DONE = 0;

  /** A promise was broken, a check failed, or what was asked for is refused or not there. */
  public static final int FAILED = 1;

  /** The command line or a file that it names is wrong. */
  public static final int USAGE = 2;

  /** Kafka, the schema registry or an enforcer does not answer. */
  public static final int UNREACHABLE = 3;

  private ExitCode() {}
}
