package io.quotaenforcer.enforcer.log;

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
 * Reads a log of any size line by line, gzip or plain (told by its first bytes), one line in memory
 * at a time. One thread at a time.
 */
public final class LogReader implements AutoCloseable {
  /** A longer line is skipped and counts as one that cannot be read. */
  public static final int MAX_LINE_BYTES = 65_536;

  private static final int BUFFER_BYTES = 8_192;

  private final Path file;
  private final long totalBytes;
  private final CountingStream compressed;
  private final InputStream in;
  private final LineSplitter lines;
  private final LogParser parser;
  private long lineNumber;

  private LogReader(
      Path file,
      long totalBytes,
      CountingStream compressed,
      InputStream in,
      LineSplitter lines,
      LogParser parser) {
    this.file = file;
    this.totalBytes = totalBytes;
    this.compressed = compressed;
    this.in = in;
    this.lines = lines;
    this.parser = parser;
    this.lineNumber = parser instanceof CsvLogParser ? 1 : 0;
  }

  /** Throws IllegalArgumentException when a CSV log has not the columns that it must have. */
  public static LogReader open(Path file, LogFormat format, CsvColumns columns) throws IOException {
    CountingStream compressed = new CountingStream(Files.newInputStream(file));
    try {
      InputStream in = plain(compressed);
      LineSplitter lines = new LineSplitter(in, MAX_LINE_BYTES);
      LogParser parser =
          switch (format) {
            case COMBINED -> new CombinedLogParser();
            case CSV -> CsvLogParser.of(header(file, lines), columns);
          };
      return new LogReader(file, Files.size(file), compressed, in, lines, parser);
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
      if (!lines.advance()) {
        return Optional.empty();
      }
    } catch (EOFException | ZipException e) {
      throw damaged(file, e);
    }
    lineNumber++;
    return Optional.of(
        lines.tooLong()
            ? new LogLine.Unparsed(lineNumber, "must be <= " + MAX_LINE_BYTES + " bytes long")
            : parser.parse(lineNumber, lines.text()));
  }

  /** How much of the file has been read, from 0 to 1. */
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

  private static String header(Path file, LineSplitter lines) throws IOException {
    if (!lines.advance() || lines.tooLong()) {
      throw new IllegalArgumentException("must begin with a header line: " + file);
    }
    return lines.text();
  }

  private static IOException damaged(Path file, IOException cause) {
    return new IOException("must be a whole gzip file: " + file, cause);
  }
}
