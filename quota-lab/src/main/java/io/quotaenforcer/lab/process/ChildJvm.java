package io.quotaenforcer.lab.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A small JVM of its own, killed when it is closed. */
public final class ChildJvm implements AutoCloseable {
  /** The first that warns of native code and of {@code Unsafe}, which Kafka and RocksDB use. */
  private static final int WARNING_JDK = 24;

  /** The scripts that start the programs give these, too. */
  private static final List<String> ALLOWED =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  /** In the state column of /proc/net/tcp. */
  private static final String LISTENING = "0A";

  private final String name;
  private final Process process;
  private final Writer input;
  private final List<String> out = new CopyOnWriteArrayList<>();
  private final List<String> err = new CopyOnWriteArrayList<>();
  private final Thread hook;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.input = process.outputWriter(StandardCharsets.UTF_8);
    // In case this process is told to stop.
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
    follow(process.getInputStream(), out);
    follow(process.getErrorStream(), err);
  }

  /**
   * Starts it with the class path of this one, and a heap of 256 MiB.
   *
   * @param temporaryFolder where it makes its temporary files; created when it is missing
   */
  public static ChildJvm start(
      String name, Path temporaryFolder, Class<?> main, String... arguments) throws IOException {
    return start(name, List.of(), temporaryFolder, main, arguments);
  }

  /**
   * The same with flags for its JVM.
   *
   * @param flags such as {@code -Dname=value}
   */
  public static ChildJvm start(
      String name, List<String> flags, Path temporaryFolder, Class<?> main, String... arguments)
      throws IOException {
    return start(
        name,
        flags,
        temporaryFolder,
        new Program(System.getProperty("java.class.path"), main.getName()),
        arguments);
  }

  /**
   * The program that a JVM runs.
   *
   * @param classPath as {@code -cp} has it
   * @param main name of the class
   */
  public record Program(String classPath, String main) {}

  /** The same with a class path of its own. */
  public static ChildJvm start(
      String name, List<String> flags, Path temporaryFolder, Program program, String... arguments)
      throws IOException {
    ClassArchive.Start start = ClassArchive.of(program.classPath);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    if (Runtime.version().feature() >= WARNING_JDK) {
      command.addAll(ALLOWED);
    }
    command.addAll(start.flags());
    command.addAll(flags);
    command.add("-Djava.io.tmpdir=" + Files.createDirectories(temporaryFolder));
    command.addAll(List.of("-cp", start.classPath(), program.main));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(variable -> variable.startsWith("QUOTA_"));
    // A busy machine's brokers take longer to answer than a user would wait.
    builder.environment().put("QUOTA_CONNECT_TIMEOUT", "40s");
    return new ChildJvm(name, builder.start());
  }

  /** Waits for a line that begins so on the standard output, and returns the rest of it. */
  public String awaitLine(String start, Duration atMost) {
    return awaitLine(1, start, atMost);
  }

  /**
   * Waits for one of the lines that begin so on the standard output, and returns the rest of it.
   *
   * @param number counted from 1
   */
  public String awaitLine(int number, String start, Duration atMost) {
    Wait.until(
        name + " to print: " + start,
        atMost,
        () -> !process.isAlive() || find(number, start).isPresent());
    return find(number, start)
        .orElseThrow(() -> failure("ended before: " + start))
        .substring(start.length());
  }

  public void send(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
  }

  /** Sends a signal by its name, such as STOP, CONT or INT. */
  public void signal(String signal) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw failure("cannot be sent SIG" + signal);
    }
  }

  /** Waits for the end, which must come of itself. */
  public int exitCode(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw failure("did not end within " + atMost);
    }
    return process.exitValue();
  }

  /** TCP ports of this machine that it listens on. */
  public List<Integer> listeningPorts() throws IOException {
    List<String> inodes = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      for (Path file : files.toList()) {
        String target = readLink(file);
        if (target.startsWith("socket:[")) {
          inodes.add(target.substring("socket:[".length(), target.length() - 1));
        }
      }
    }
    List<Integer> ports = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+");
        if (fields[3].equals(LISTENING) && inodes.contains(fields[9])) {
          ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
        }
      }
    }
    return ports;
  }

  private static String readLink(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      // Closed meanwhile.
      return "";
    }
  }

  /** Whether anybody listens on this port of the loopback address. */
  public static boolean isListening(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public List<String> out() {
    return List.copyOf(out);
  }

  public List<String> err() {
    return List.copyOf(err);
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  /** Output of the process. */
  @Override
  public String toString() {
    return name + "\n" + String.join("\n", out) + "\n" + String.join("\n", err);
  }

  private Optional<String> find(int number, String start) {
    return out.stream().filter(line -> line.startsWith(start)).skip(number - 1).findFirst();
  }

  private IllegalStateException failure(String what) {
    return new IllegalStateException(what + ": " + this);
  }

  private void follow(InputStream stream, List<String> lines) {
    Thread reader =
        new Thread(
            () -> {
              try (BufferedReader in =
                  new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                  lines.add(line);
                }
              } catch (IOException e) {
                // It was killed.
              }
            },
            name + "-output");
    reader.setDaemon(true);
    reader.start();
  }
}
