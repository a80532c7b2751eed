package io.quotaenforcer.bench.process;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program in a JVM of its own, with this one's class path and Java. It is told by its standard
 * input and answers by its standard output; what it has to complain about goes where this program's
 * complaints go. It is to end when its input does, also when this program is killed.
 */
public final class ChildJvm implements AutoCloseable {
  private static final long CLOSE_SECONDS = 10;

  private final Process process;
  private final Thread hook;
  private final DataInputStream answers;
  private final DataOutputStream orders;

  private ChildJvm(Process process) {
    this.process = process;
    this.hook = new Thread(process::destroyForcibly, "child-jvm-end");
    this.answers = new DataInputStream(new BufferedInputStream(process.getInputStream()));
    this.orders = new DataOutputStream(new BufferedOutputStream(process.getOutputStream()));
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts it, with one thread for its garbage and no more heap than is said.
   *
   * @param flags of the JVM
   */
  public static ChildJvm start(
      Class<?> main, int heapMebibytes, List<String> flags, String... arguments)
      throws IOException {
    List<String> command = JvmCommand.of(main, heapMebibytes, flags, arguments);
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** What it answers. One thread at a time. */
  public DataInputStream answers() {
    return answers;
  }

  /** What it is told; flushed by the caller. One thread at a time. */
  public DataOutputStream orders() {
    return orders;
  }

  /** Ends its input, and kills it if it has not ended some seconds later. */
  @Override
  public void close() {
    try {
      orders.close();
    } catch (IOException e) {
      // It has ended already.
    }
    try {
      if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This program is ending; the hook finds it gone.
    }
  }
}
