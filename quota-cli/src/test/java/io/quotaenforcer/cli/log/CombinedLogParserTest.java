package io.quotaenforcer.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CombinedLogParserTest {
  private static final String LINE =
      "192.0.2.1 - jane [01/Aug/1995:06:00:04 +0200] \"GET /a?b=c HTTP/1.0\" 200 8677"
          + " \"http://example.org/\" \"Mozilla/5.0 (X11)\"";

  private final CombinedLogParser parser = new CombinedLogParser();

  @Test
  void parse_combinedLine_hasEveryAttributeAndItsTime() {
    LogLine.Parsed parsed = parsed(LINE);

    assertThat(parsed.lineNumber()).isEqualTo(3);
    assertThat(parsed.request().cost()).isEqualTo(1);
    assertThat(Instant.ofEpochSecond(0, parsed.timeNanos())).isEqualTo("1995-08-01T04:00:04Z");
    assertThat(parsed.request().attributes())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "host", "192.0.2.1",
                "user", "jane",
                "method", "GET",
                "path", "/a?b=c",
                "protocol", "HTTP/1.0",
                "status", "200",
                "bytes", "8677",
                "referer", "http://example.org/",
                "agent", "Mozilla/5.0 (X11)"));
  }

  @Test
  void parse_commonLine_lacksRefererAndAgent() {
    assertThat(attributes("2001:db8::1 - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 304 -"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "host", "2001:db8::1",
                "method", "GET",
                "path", "/",
                "protocol", "HTTP/1.0",
                "status", "304"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "GET /a \\\"b\\\" HTTP/1.1|/a \"b\"",
        "GET /a\"b HTTP/1.1|/a\"b",
        "GET /a\" b HTTP/1.1|/a\" b",
        "GET /a b c HTTP/1.1|/a b c",
        "GET /back\\\\slash HTTP/1.1|/back\\slash",
        "GET /old|/old"
      })
  void parse_requestWithOddPath_hasThePath(String request, String path) {
    assertThat(attributes("192.0.2.1 - - [01/Aug/1995:06:00:04 +0000] \"" + request + "\" 200 1"))
        .containsEntry("method", "GET")
        .containsEntry("path", path)
        .containsEntry("status", "200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-", "", "\\x16\\x03\\x01", "\\x16 \\\"", "  "})
  void parse_requestThatIsNone_isStillARequest(String request) {
    assertThat(attributes("192.0.2.1 - - [01/Aug/1995:06:00:04 +0000] \"" + request + "\" 400 1"))
        .containsEntry("host", "192.0.2.1")
        .doesNotContainKeys("method", "path", "protocol");
  }

  @Test
  void parse_agentWithQuotes_isUnescaped() {
    assertThat(attributes(LINE.replace("Mozilla/5.0 (X11)", "App (\\\"x\\\") \"y\"z")))
        .containsEntry("agent", "App (\"x\") \"y\"z");
  }

  @Test
  void parse_userWithSpaces_isWhole() {
    assertThat(attributes(LINE.replace("jane", "jane doe"))).containsEntry("user", "jane doe");
  }

  @Test
  void parse_fieldsAfterTheAgent_areIgnored() {
    assertThat(attributes(LINE + " 0.003 \"upstream\""))
        .containsEntry("agent", "Mozilla/5.0 (X11)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t "})
  void parse_blankLine_isUnparsed(String line) {
    assertThat(parser.parse(4, line)).isEqualTo(new LogLine.Unparsed(4, "is empty"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "worker 7 exited|must be: host ident user [time] \"request\" status bytes",
        "h - - [01/Aug/1995:06:00:04 +0000] GET|must be: host ident user [time] \"request\" status bytes",
        "h - - [01/Foo/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1|must have a time such as [01/Aug/1995:06:00:00 +0000]",
        "h - - [31/Feb/1995:06:00:04 +0000] \"GET / HTTP/1.0\" 200 1|must have a time such as [01/Aug/1995:06:00:00 +0000]",
        "h - - [01/Aug/1995:06:00:04 +9900] \"GET / HTTP/1.0\" 200 1|must have a time such as [01/Aug/1995:06:00:00 +0000]",
        "h - - [1995-08-01] \"GET / HTTP/1.0\" 200 1|must have a time such as [01/Aug/1995:06:00:00 +0000]",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0|must have a status after the quoted request",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\" OK 1|must have a status after the quoted request",
        "h - - [01/Aug/1995:06:00:04 +0000] \"GET / HTTP/1.0\"|must have a status after the quoted request"
      })
  void parse_brokenLine_isUnparsedWithItsReason(String line, String reason) {
    assertThat(parser.parse(9, line)).isEqualTo(new LogLine.Unparsed(9, reason));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void parse_damagedLines_neverThrow(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder line = new StringBuilder(LINE);
      for (int edits = random.nextInt(4); edits >= 0 && !line.isEmpty(); edits--) {
        int at = random.nextInt(line.length());
        switch (random.nextInt(4)) {
          case 0 -> line.deleteCharAt(at);
          case 1 -> line.insert(at, "\"\\ []-".charAt(random.nextInt(6)));
          case 2 -> line.setLength(at);
          default -> line.setCharAt(at, (char) random.nextInt(300));
        }
      }
      assertThat(parser.parse(i, line.toString())).as("seed %d: %s", seed, line).isNotNull();
    }
  }

  private LogLine.Parsed parsed(String line) {
    LogLine parsed = parser.parse(3, line);
    assertThat(parsed).isInstanceOf(LogLine.Parsed.class);
    return (LogLine.Parsed) parsed;
  }

  private Map<String, String> attributes(String line) {
    return parsed(line).request().attributes();
  }
}
