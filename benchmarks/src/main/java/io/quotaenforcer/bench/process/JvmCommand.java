package io.quotaenforcer.bench.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a program in a JVM of its own, with this one's class path and Java. */
public final class JvmCommand {
  private JvmCommand() {}

  /**
   * One thread for its garbage, and no more heap than is said.
   *
   * @param flags of the JVM
   */
  public static List<String> of(
      Class<?> main, int heapMebibytes, List<String> flags, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx" + heapMebibytes + "m", "-XX:+UseSerialGC"));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
