package io.quotaenforcer.bench.process;

import io.quotaenforcer.cli.CommandException;
import io.quotaenforcer.enforcer.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What the JDK's {@code jcmd} does to another JVM. */
public final class Jcmd {
  private static final String ONE_EVENT =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="%s">
          <setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting>
        </event>
      </configuration>
      """;

  private final long pid;
  private final Path folder;

  /**
   * @param pid of the JVM
   * @param folder for recordings
   */
  public Jcmd(long pid, Path folder) {
    this.pid = pid;
    this.folder = folder;
  }

  /** Records one kind of event of the Flight Recorder from now on. */
  public void record(String event) throws IOException, InterruptedException {
    Path settings = folder.resolve("one-event.jfc");
    Files.writeString(settings, ONE_EVENT.formatted(event));
    ask("JFR.start", "name=" + event, "settings=" + settings);
  }

  /** Ends the recording; how long each event took that began since then, in nanoseconds. */
  public LongStream recorded(String event, Instant since) throws IOException, InterruptedException {
    Path recording = folder.resolve("one-event.jfr");
    ask("JFR.stop", "name=" + event, "filename=" + recording);
    LongStream.Builder nanos = LongStream.builder();
    try (RecordingFile file = new RecordingFile(recording)) {
      while (file.hasMoreEvents()) {
        RecordedEvent next = file.readEvent();
        if (next.getEventType().getName().equals(event) && !next.getStartTime().isBefore(since)) {
          nanos.add(next.getDuration().toNanos());
        }
      }
    }
    return nanos.build();
  }

  /** Has it do a command, and gives what that said. */
  private String ask(String... command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    line.add(Long.toString(pid));
    line.addAll(List.of(command));
    Process jcmd = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (jcmd.waitFor() != 0) {
      throw new CommandException(ExitCode.FAILED, "jcmd failed: " + said);
    }
    return said;
  }
}
