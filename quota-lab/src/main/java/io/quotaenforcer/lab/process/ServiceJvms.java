package io.quotaenforcer.lab.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Services, each a process of its own, whose program begins and ends its load as it is told; killed
 * when closed. Each has a folder for its temporary files and what it writes.
 */
public final class ServiceJvms implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
  private static final Duration SECONDS_TIMEOUT = Duration.ofSeconds(120);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

  private final Path folder;
  private final Program program;
  private final List<String> names = new ArrayList<>();
  private final List<ChildJvm> services = new ArrayList<>();

  /**
   * The program of a service, which prints {@code ready}, begins at {@code start}, prints {@code
   * second N}, and ends at {@code stop}.
   */
  public interface Program {
    Class<?> main();

    /** Flags of its JVM. */
    default List<String> flags() {
      return List.of();
    }

    /**
     * Its command line.
     *
     * @param name of the service
     * @param own folder of the service
     */
    List<String> arguments(String name, Path own);
  }

  private ServiceJvms(Path folder, Program program) {
    this.folder = folder;
    this.program = program;
  }

  /** Starts them, and their load once all are ready. */
  public static ServiceJvms start(Path folder, Program program, List<String> names)
      throws IOException {
    ServiceJvms all = new ServiceJvms(folder, program);
    try {
      for (String name : names) {
        all.names.add(name);
        all.services.add(all.launch(name));
      }
      for (ChildJvm service : all.services) {
        service.awaitLine("ready", START_TIMEOUT);
      }
      for (ChildJvm service : all.services) {
        service.send("start");
      }
      return all;
    } catch (Throwable e) {
      all.close();
      throw e;
    }
  }

  public ChildJvm service(int index) {
    return services.get(index);
  }

  /** Those that there are now. */
  public List<ChildJvm> jvms() {
    return List.copyOf(services);
  }

  /** Every name that a service had so far. */
  public List<String> names() {
    return List.copyOf(names);
  }

  /** Starts another one in place of one that was killed, under another name. */
  public void replace(int index, String name) throws IOException {
    services.get(index).close();
    ChildJvm service = launch(name);
    names.add(name);
    services.set(index, service);
    service.awaitLine("ready", START_TIMEOUT);
    service.send("start");
  }

  /** Waits for a second of the load of the first service, which nobody stops. */
  public void awaitSecond(int second) {
    services.get(0).awaitLine("second " + second, SECONDS_TIMEOUT);
  }

  /** Seconds of load that the first service has had. */
  public int second() {
    return (int) services.get(0).out().stream().filter(line -> line.startsWith("second ")).count();
  }

  /** Waits until the load has gone on for some seconds more. */
  public void awaitSeconds(int seconds) {
    awaitSecond(second() + seconds);
  }

  /** Ends the load, and waits until all have given back what they held. */
  public void stop() throws IOException, InterruptedException {
    for (ChildJvm service : services) {
      service.send("stop");
    }
    for (ChildJvm service : services) {
      int code = service.exitCode(STOP_TIMEOUT);
      if (code != 0) {
        throw new IllegalStateException("must end with 0, not " + code + ": " + service);
      }
    }
  }

  private ChildJvm launch(String name) throws IOException {
    Path own = folder.resolve(name);
    return ChildJvm.start(
        name,
        program.flags(),
        own.resolve("tmp"),
        program.main(),
        program.arguments(name, own).toArray(String[]::new));
  }

  @Override
  public void close() {
    services.forEach(ChildJvm::close);
  }
}
