package io.quotaenforcer.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
  void csv_quotedLineBreaks_areOneRecordNumberedByItsFirstLine() throws IOException {
    List<LogLine> lines =
        csv(
            "time,\"no\nte\",user\n1,\"a\nb\"\"\n,c\",u\r\n2,\"d\r\n\",v\n\nx,e,w\n3,\"\n\",\"\n\"");

    assertThat(attributes(lines.get(0))).containsEntry("no\nte", "a\nb\"\n,c").hasSize(3);
    assertThat(attributes(lines.get(1))).containsEntry("no\nte", "d\r\n");
    assertThat(lines.get(2)).isEqualTo(new LogLine.Unparsed(8, "is empty"));
    assertThat(lines.get(3)).isEqualTo(new LogLine.Unparsed(9, "must be a time: time=x"));
    assertThat(attributes(lines.get(4))).containsEntry("user", "\n");
    assertThat(lines).extracting(LogLine::lineNumber).containsExactly(3L, 6L, 8L, 9L, 10L);
  }

  @Test
  void csv_quoteThatIsNotClosed_spoilsItsLineAlone() throws IOException {
    String end = "must close its quoted fields before the end of the log";

    assertThat(csv("time,user\n1,\"a\n2,b\n3,c\n"))
        .extracting(LogLine::lineNumber, LogReaderTest::reason)
        .containsExactly(tuple(2L, end), tuple(3L, ""), tuple(4L, ""));
    assertThat(csv("time,user\n1,\"a\n2,\"b\"\n3,\"c\"\"\n"))
        .extracting(LogLine::lineNumber, LogReaderTest::reason)
        .containsExactly(
            tuple(2L, "must have a comma, or the end of the line, after a closing quote"),
            tuple(3L, ""),
            tuple(4L, end));
  }

  @Test
  void csv_recordOfTooManyCharacters_isUnparsedAndTheNextIsRead() throws IOException {
    String line = "x".repeat(1_000) + "\n";

    List<LogLine> lines = csv("time,user\n1,\"a\n" + line.repeat(100) + "\"\n2,b\n");

    assertThat(lines).hasSize(1 + 100 + 2);
    assertThat(reason(lines.get(0)))
        .isEqualTo("must close its quoted fields within 65536 characters");
    assertThat(lines.get(102).lineNumber()).isEqualTo(104);
    assertThat(reason(lines.get(102))).isEmpty();
  }

  @Test
  void csv_manyQuotedFields_areReadWhateverTheirNumber() throws IOException {
    int columns = 4_000;
    StringBuilder header = new StringBuilder("time");
    for (int i = 0; i < columns; i++) {
      header.append(",\"c").append(i).append('"');
    }

    List<LogLine> lines = csv(header + "\n1" + ",\"\n\"".repeat(columns) + "\n");

    assertThat(attributes(lines.get(0))).hasSize(columns + 1).containsEntry("c7", "\n");
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

  private List<LogLine> csv(String text) throws IOException {
    List<LogLine> lines = new ArrayList<>();
    Path file = write(text.getBytes(UTF_8));
    try (LogReader reader = LogReader.open(file, LogFormat.CSV, CsvColumns.DEFAULTS)) {
      for (var line = reader.next(); line.isPresent(); line = reader.next()) {
        lines.add(line.get());
      }
    }
    return lines;
  }

  private static String reason(LogLine line) {
    return line instanceof LogLine.Unparsed unparsed ? unparsed.reason() : "";
  }

  private static Map<String, String> attributes(LogLine line) {
    return ((LogLine.Parsed) line).request().attributes();
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
