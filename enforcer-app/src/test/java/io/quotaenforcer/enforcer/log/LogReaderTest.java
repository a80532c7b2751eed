package io.quotaenforcer.enforcer.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogReaderTest {
  private static final String LINE =
      "192.0.2.1 - - [01/Aug/1995:06:00:04 +0000] \"GET /%s HTTP/1.0\" 200 1";

  @TempDir Path directory;

  @Test
  void plainAndGzip_sameLines_readTheSame() throws IOException {
    byte[] text = (LINE.formatted("a") + "\r\n\n" + LINE.formatted("b")).getBytes(UTF_8);

    List<LogLine> plain = read(write(text));
    List<LogLine> compressed = read(write(gzip(text)));

    assertThat(plain).isEqualTo(compressed).hasSize(3);
    assertThat(path(plain.get(0))).isEqualTo("/a");
    assertThat(plain.get(1)).isEqualTo(new LogLine.Unparsed(2, "is empty"));
    assertThat(path(plain.get(2))).isEqualTo("/b");
  }

  @Test
  void gzip_ofSeveralMembers_isReadToTheEnd() throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    members.write(gzip((LINE.formatted("a") + "\n").getBytes(UTF_8)));
    members.write(gzip((LINE.formatted("b") + "\n").getBytes(UTF_8)));

    assertThat(read(write(members.toByteArray()))).hasSize(2);
  }

  @Test
  void gzip_cutOff_isAnErrorThatNamesTheFile() throws IOException {
    byte[] whole = gzip(LINE.repeat(5000).getBytes(UTF_8));
    Path inTheMiddle = write(Arrays.copyOf(whole, whole.length - 20));
    Path inTheHeader = directory.resolve("header.gz");
    Files.write(inTheHeader, Arrays.copyOf(whole, 5));

    assertThatThrownBy(() -> read(inTheMiddle))
        .isInstanceOf(IOException.class)
        .hasMessage("must be a whole gzip file: " + inTheMiddle);
    assertThatThrownBy(() -> read(inTheHeader))
        .isInstanceOf(IOException.class)
        .hasMessage("must be a whole gzip file: " + inTheHeader);
  }

  @Test
  void line_inEitherCharset_isRead() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.write((LINE.formatted("käse") + "\n").getBytes(UTF_8));
    text.write((LINE.formatted("käse") + "\n").getBytes(StandardCharsets.ISO_8859_1));

    assertThat(read(write(text.toByteArray())))
        .extracting(LogReaderTest::path)
        .containsExactly("/käse", "/käse");
  }

  @Test
  void line_tooLong_isUnparsedAndTheNextIsRead() throws IOException {
    String text =
        LINE.formatted("x".repeat(LogReader.MAX_LINE_BYTES)) + "\n" + LINE.formatted("b") + "\n";

    List<LogLine> lines = read(write(text.getBytes(UTF_8)));

    assertThat(lines.get(0)).isEqualTo(new LogLine.Unparsed(1, "must be <= 65536 bytes long"));
    assertThat(path(lines.get(1))).isEqualTo("/b");
  }

  @Test
  void csv_withByteOrderMark_readsItsHeader() throws IOException {
    Path file = write("\ufefftime,user\n1,a\nx,b\n".getBytes(UTF_8));

    List<LogLine> lines = new ArrayList<>();
    try (LogReader reader = LogReader.open(file, LogFormat.CSV, CsvColumns.DEFAULTS)) {
      assertThat(reader.progress()).isPositive();
      for (var line = reader.next(); line.isPresent(); line = reader.next()) {
        lines.add(line.get());
      }
      assertThat(reader.progress()).isEqualTo(1);
    }

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).lineNumber()).isEqualTo(2);
    assertThat(lines.get(1)).isEqualTo(new LogLine.Unparsed(3, "must be a time: time=x"));
  }

  @Test
  void csv_empty_isRefused() throws IOException {
    Path file = write(new byte[0]);

    assertThatThrownBy(() -> LogReader.open(file, LogFormat.CSV, CsvColumns.DEFAULTS))
        .hasMessage("must begin with a header line: " + file);
    assertThat(read(file)).isEmpty();
  }

  @Test
  void format_byName_isFound() {
    assertThat(LogFormat.named("combined")).hasValue(LogFormat.COMBINED);
    assertThat(LogFormat.named("CSV")).hasValue(LogFormat.CSV);
    assertThat(LogFormat.named("json")).isEqualTo(Optional.empty());
  }

  private static List<LogLine> read(Path file) throws IOException {
    List<LogLine> lines = new ArrayList<>();
    try (LogReader reader = LogReader.open(file, LogFormat.COMBINED, CsvColumns.DEFAULTS)) {
      for (var line = reader.next(); line.isPresent(); line = reader.next()) {
        lines.add(line.get());
      }
    }
    return lines;
  }

  private static String path(LogLine line) {
    return ((LogLine.Parsed) line).request().attributes().getOrDefault("path", "");
  }

  private Path write(byte[] bytes) throws IOException {
    return Files.write(Files.createTempFile(directory, "log", ""), bytes);
  }

  private static byte[] gzip(byte[] text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text);
    }
    return bytes.toByteArray();
  }
}
