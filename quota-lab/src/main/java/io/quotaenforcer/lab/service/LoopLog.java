package io.quotaenforcer.lab.service;

import io.quotaenforcer.client.spi.ClientTelemetry;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Writes down when each answer arrived, and how long after its report was sent. */
public final class LoopLog implements ClientTelemetry, AutoCloseable {
  private static final String FILE = "loops.csv";

  private final BufferedWriter writer;

  /**
   * One answer.
   *
   * @param epochMicros when it arrived
   */
  public record Loop(long epochMicros, int partition, long micros) {}

  /**
   * A new log.
   *
   * @param folder exists
   */
  public LoopLog(Path folder) throws IOException {
    writer = Files.newBufferedWriter(folder.resolve(FILE));
  }

  @Override
  public synchronized void answered(int partition, int quotas, long loopNanos) {
    long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    try {
      writer.write(now + "," + partition + "," + loopNanos / 1_000 + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    writer.close();
  }

  /** Reads the services' folders. */
  public static List<Loop> read(Path folder, List<String> services) throws IOException {
    List<Loop> loops = new ArrayList<>();
    for (String service : services) {
      Path file = folder.resolve(service).resolve(FILE);
      WholeLines.keep(file);
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.split(",", -1);
        loops.add(
            new Loop(
                Long.parseLong(fields[0]), Integer.parseInt(fields[1]), Long.parseLong(fields[2])));
      }
    }
    return loops;
  }
}
