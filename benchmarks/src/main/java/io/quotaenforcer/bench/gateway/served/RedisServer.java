package io.quotaenforcer.bench.gateway.served;

import io.quotaenforcer.bench.process.LoggedProcess;
import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A Redis of its own on a free port of loopback, which keeps nothing; killed when it is closed. */
public final class RedisServer implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int ANSWER_MILLIS = 1_000;
  private static final long POLL_MILLIS = 10;
  private static final int TRIES = 5;

  private final int port;
  private final LoggedProcess process;

  private RedisServer(int port, LoggedProcess process) {
    this.port = port;
    this.process = process;
  }

  /**
   * Starts it, and returns when it answers.
   *
   * @param folder of its log
   * @throws CommandException with what it said if it does not
   */
  public static RedisServer start(RedisProgram program, Path folder)
      throws IOException, InterruptedException {
    for (int tries = 1; ; tries++) {
      RedisServer server = launch(program, folder, freePort());
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

  public int port() {
    return port;
  }

  /** Processor time that it took so far; zero where the system does not say. */
  public Duration processorTime() {
    return process.processorTime();
  }

  private static RedisServer launch(RedisProgram program, Path folder, int port)
      throws IOException {
    Path log = Files.createDirectories(folder).resolve("redis.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            program.file().toString(),
            "--port",
            Integer.toString(port),
            "--dir",
            folder.toString(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
            "--daemonize",
            "no");
    return new RedisServer(port, LoggedProcess.start(builder, log));
  }

  /** Empty once it answers; else what it said before it ended or the time was up. */
  private String awaitAnswer() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_NANOS;
    while (process.isAlive() && System.nanoTime() - deadline < 0) {
      if (answers()) {
        return "";
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    String said = process.said().strip();
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }

  /** Kills it, and returns when it is gone. */
  @Override
  public void close() {
    process.close();
  }
}
