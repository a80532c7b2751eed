package io.quotaenforcer.bench.central;

import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.embedded.TemporaryFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A Redis of its own on a free port of loopback, which keeps nothing: killed when it is closed,
 * when a signal ends this program, and when this program is killed itself.
 */
final class RedisServer implements AutoCloseable {
  /**
   * Starts what it is given, and kills it when its own input ends, as it does however the program
   * that writes it ends. Ctrl-C reaches it too, and must not end it before.
   */
  private static final String GUARD =
      """
      trap '' INT TERM HUP
      exec 3<&0
      "$@" </dev/null 3<&- &
      redis=$!
      { cat <&3 >/dev/null; kill -9 $redis 2>/dev/null; } &
      wait $redis
      """;

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int ANSWER_MILLIS = 1_000;
  private static final long POLL_MILLIS = 10;
  private static final long CLOSE_SECONDS = 10;
  private static final int TRIES = 5;

  private final int port;
  private final TemporaryFolder folder;
  private final Process process;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Thread hook = new Thread(this::end, "redis-end");

  private RedisServer(int port, TemporaryFolder folder, Process process) {
    this.port = port;
    this.folder = folder;
    this.process = process;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** How it is run, without what differs each time. */
  static List<String> settings() {
    return List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no");
  }

  /**
   * Starts it, and returns when it answers.
   *
   * @throws CommandException with what it said if it does not
   */
  static RedisServer start(RedisProgram program) throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      RedisServer server = launch(program, freePort());
      String complaint = server.awaitAnswer();
      if (complaint.isEmpty()) {
        return server;
      }
      server.close();
      // Another program may have taken the port meanwhile.
      if (tries == TRIES || !complaint.contains("Address already in use")) {
        throw new CommandException(ExitCode.FAILED, program.file() + " said: " + complaint);
      }
    }
  }

  int port() {
    return port;
  }

  long pid() {
    return process.pid();
  }

  /** Kills it and removes its folder. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This program is ending; the hook finds it gone.
    }
  }

  private static RedisServer launch(RedisProgram program, int port) throws IOException {
    TemporaryFolder folder = TemporaryFolder.create("quota-bench-redis-");
    List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD, "redis-guard"));
    command.add(program.file().toString());
    command.addAll(List.of("--port", Integer.toString(port), "--dir", folder.path().toString()));
    command.addAll(settings());
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log(folder).toFile())
              .start();
      return new RedisServer(port, folder, process);
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  /** Empty once it answers; else what it said before it ended or the time was up. */
  private String awaitAnswer() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_NANOS;
    while (process.isAlive() && System.nanoTime() < deadline) {
      if (answers()) {
        return "";
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    String said = Files.readString(log(folder)).strip();
    return said.isEmpty() ? "nothing, and does not answer on port " + port : said;
  }

  private boolean answers() {
    try (Socket socket = new Socket(LOOPBACK, port)) {
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(PING);
      return socket.getInputStream().read() == '+';
    } catch (IOException e) {
      return false;
    }
  }

  private void end() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended already.
    }
    try {
      if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    folder.close();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }

  private static Path log(TemporaryFolder folder) {
    return folder.path().resolve("redis.log");
  }
}
