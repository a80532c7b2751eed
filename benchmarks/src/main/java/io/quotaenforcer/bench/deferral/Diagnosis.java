package io.quotaenforcer.bench.deferral;

import io.quotaenforcer.bench.restore.EnforcerChild;
import io.quotaenforcer.enforcer.cli.CommandException;
import io.quotaenforcer.enforcer.cli.ExitCode;
import io.quotaenforcer.enforcer.deferral.IdleTick;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** What the JDK's {@code jcmd} tells of an enforcer. */
final class Diagnosis {
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)");
  private static final double BYTES_PER_MEBIBYTE = 1 << 20;
  private static final String IDLE_TICKS_ONLY =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="%s">
          <setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting>
        </event>
      </configuration>
      """;

  private final EnforcerChild enforcer;
  private final Path folder;

  /**
   * @param folder for recordings
   */
  Diagnosis(EnforcerChild enforcer, Path folder) {
    this.enforcer = enforcer;
    this.folder = folder;
  }

  /** What lives on the heap: a full collection comes before it is counted. */
  double liveMebibytes() throws IOException, InterruptedException {
    Matcher total = TOTAL.matcher(ask("GC.class_histogram"));
    if (!total.find()) {
      throw new CommandException(ExitCode.FAILED, "jcmd told no total of the heap");
    }
    return Long.parseLong(total.group(1)) / BYTES_PER_MEBIBYTE;
  }

  /** Nanoseconds of each idle tick, of all partitions, from now on for so long. */
  LongStream idleTicks(Duration howLong) throws IOException, InterruptedException {
    Path settings = folder.resolve("idle.jfc");
    Path recording = folder.resolve("idle.jfr");
    Files.writeString(settings, IDLE_TICKS_ONLY.formatted(IdleTick.NAME));
    ask("JFR.start", "name=idle", "settings=" + settings);
    Thread.sleep(howLong.toMillis());
    ask("JFR.stop", "name=idle", "filename=" + recording);
    List<RecordedEvent> events = new ArrayList<>(RecordingFile.readAllEvents(recording));
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(IdleTick.NAME))
        .mapToLong(event -> event.getDuration().toNanos());
  }

  private String ask(String... command) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    line.add(Long.toString(enforcer.pid()));
    line.addAll(List.of(command));
    Process jcmd = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (jcmd.waitFor() != 0) {
      throw new CommandException(ExitCode.FAILED, "jcmd failed: " + said);
    }
    return said;
  }
}
