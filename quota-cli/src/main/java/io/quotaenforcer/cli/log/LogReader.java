package io.quotaenforcer.cli.log;

import io.quotaenforcer.cli.log.CsvRecords.CsvRecord;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a log of any size line by line, gzip or plain (told by its first bytes), one line or record
 * in memory at a time. One thread at a time.
 */
public final class LogReader implements AutoCloseable {
  /** A longer line or record is skipped and counts as unreadable. */
  public static final int MAX_LINE_BYTES = 65_536;

  static final String TOO_LONG = "must be <= " + MAX_LINE_BYTES + " bytes long";

  private static final int BUFFER_BYTES = 8_192;

  private final Path file;
  private final long totalBytes;
  private final CountingStream compressed;
  private final InputStream in;
  private final Supply supply;

  private LogReader(
      Path file, long totalBytes, CountingStream compressed, InputStream in, Supply supply) {
    this.file = file;
    this.totalBytes = totalBytes;
    this.compressed = compressed;
    this.in = in;
    this.supply = supply;
  }

  /** Throws an IllegalArgumentException if a CSV log lacks required columns. */
  public static LogReader open(Path file, LogFormat format, CsvColumns columns) throws IOException {
    CountingStream compressed = new CountingStream(Files.newInputStream(file));
    try {
      InputStream in = plain(compressed);
      LogLines lines = new LogLines(new LineSplitter(in, MAX_LINE_BYTES));
      Supply supply =
          switch (format) {
            case COMBINED -> combined(lines);
            case CSV -> csv(file, new CsvRecords(lines, MAX_LINE_BYTES), columns);
          };
      return new LogReader(file, Files.size(file), compressed, in, supply);
    } catch (EOFException | ZipException e) {
      compressed.close();
      throw damaged(file, e);
    } catch (IOException | RuntimeException e) {
      compressed.close();
      throw e;
    }
  }

  /** The next line; empty at the end of the log. */
  public Optional<LogLine> next() throws IOException {
    try {
      return supply.next();
    } catch (EOFException | ZipException e) {
      throw damaged(file, e);
    }
  }

  /** Share of the file read so far, from 0 to 1. */
  public double progress() {
    return totalBytes == 0 ? 1 : Math.min(1, (double) compressed.bytesRead() / totalBytes);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private static InputStream plain(CountingStream compressed) throws IOException {
    BufferedInputStream buffered = new BufferedInputStream(compressed, BUFFER_BYTES);
    buffered.mark(2);
    boolean gzip = buffered.read() == 0x1f && buffered.read() == 0x8b;
    buffered.reset();
    return gzip ? new GZIPInputStream(buffered, BUFFER_BYTES) : buffered;
  }

  /** Reads one line after the other. */
  private interface Supply {
    /** The next line; empty at the end of the log. */
    Optional<LogLine> next() throws IOException;
  }

  private static Supply combined(LogLines lines) {
    CombinedLogParser parser = new CombinedLogParser();
    return () ->
        lines
            .next()
            .map(
                line ->
                    line.tooLong()
                        ? new LogLine.Unparsed(lines.number(), TOO_LONG)
                        : parser.parse(lines.number(), line.text()));
  }

  private static Supply csv(Path file, CsvRecords records, CsvColumns columns) throws IOException {
    CsvRecord header =
        records
            .next()
            .orElseThrow(
                () -> new IllegalArgumentException("must begin with a header line: " + file));
    if (header.problem().isPresent()) {
      throw new IllegalArgumentException(
          "must begin with a header line, which %s: %s".formatted(header.problem().get(), file));
    }
    CsvLogParser parser = CsvLogParser.of(header.text(), columns);
    return () ->
        records
            .next()
            .map(
                record ->
                    record
                        .problem()
                        .<LogLine>map(it -> new LogLine.Unparsed(record.lineNumber(), it))
                        .orElseGet(() -> parser.parse(record.lineNumber(), record.text())));
  }

  private static IOException damaged(Path file, IOException cause) {
    return new IOException("must be a whole gzip file: " + file, cause);
  }
}
