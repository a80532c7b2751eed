package io.quotaenforcer.cli;

import java.util.List;

/** Commands that a program adds to those of this module. */
@FunctionalInterface
public interface MoreCommands {
  MoreCommands NONE = options -> List.of();

  /** Each a picocli command, or a {@link picocli.CommandLine}. */
  List<Object> create(CommonOptions options);
}
