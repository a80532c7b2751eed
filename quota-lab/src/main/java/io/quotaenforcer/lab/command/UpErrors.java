package io.quotaenforcer.lab.command;

import io.quotaenforcer.broker.BrokerException;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import io.quotaenforcer.lab.up.UpException;

/** Failures of parts of this process to start, turned into the end of a command. */
final class UpErrors {
  private UpErrors() {}

  /** Work that may find a port taken, or a folder that it cannot use. */
  interface Start {
    int run() throws InterruptedException;
  }

  static int explained(Start start) throws InterruptedException {
    try {
      return start.run();
    } catch (BrokerException | UpException e) {
      throw new CommandException(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
    }
  }
}
