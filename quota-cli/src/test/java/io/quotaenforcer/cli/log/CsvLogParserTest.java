package io.quotaenforcer.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotaenforcer.core.Request;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CsvLogParserTest {
  private static final CsvColumns WITH_COST =
      new CsvColumns(Optional.of("at"), Optional.of("tokens"));

  @Test
  void parse_timeAndCostColumns_makeTheRequest() {
    CsvLogParser parser = CsvLogParser.of("at,tokens,tenant,note", WITH_COST);

    assertThat(parser.parse(2, "1700000000,4808,acme,"))
        .isEqualTo(
            new LogLine.Parsed(
                2,
                1_700_000_000_000_000_000L,
                new Request(Map.of("at", "1700000000", "tokens", "4808", "tenant", "acme"), 4808)));
  }

  @Test
  void parse_quotedFields_areUnquoted() {
    CsvLogParser parser = CsvLogParser.of("time,\"a,b\",c", CsvColumns.DEFAULTS);

    LogLine.Parsed parsed = (LogLine.Parsed) parser.parse(2, "1,\"x,\"\"y\"\"\",\"\"");

    assertThat(parsed.request().attributes()).isEqualTo(Map.of("time", "1", "a,b", "x,\"y\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2023-11-16 18:17:03.9799600|2023-11-16T18:17:03.979960Z",
        "2023-11-16T18:17:03Z|2023-11-16T18:17:03Z",
        "2023-11-16T18:17:03.5+01:00|2023-11-16T17:17:03.500Z",
        "2023-11-16T18:17:03,123456789-0530|2023-11-16T23:47:03.123456789Z",
        "2023-11-16 18:17 +02|2023-11-16T16:17:00Z",
        "2023-11-16 18:17:03 UTC|2023-11-16T18:17:03Z",
        "1700000000|2023-11-14T22:13:20Z",
        "1700000000.25|2023-11-14T22:13:20.250Z",
        "1700000000123|2023-11-14T22:13:20.123Z",
        "1700000000123456|2023-11-14T22:13:20.123456Z",
        "1700000000123456789|2023-11-14T22:13:20.123456789Z",
        "09000000000|2255-03-14T16:00:00Z",
        "01700000000123|2023-11-14T22:13:20.123Z",
        "01700000000123456|2023-11-14T22:13:20.123456Z",
        "0|1970-01-01T00:00:00Z"
      })
  void parse_timeInAnyForm_isRead(String time, String expected) {
    CsvLogParser parser = CsvLogParser.of("user,TimeStamp", CsvColumns.DEFAULTS);

    LogLine.Parsed parsed = (LogLine.Parsed) parser.parse(2, "a,\"" + time + "\"");

    assertThat(Instant.ofEpochSecond(0, parsed.timeNanos())).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"timestamp", "time", "ts", "date", "datetime", "Time"})
  void header_columnCalledAsTimesAre_isTheTime(String name) {
    assertThat(CsvLogParser.of("user," + name, CsvColumns.DEFAULTS).parse(2, "a,1"))
        .isInstanceOf(LogLine.Parsed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2023-13-01 00:00:00",
        "2023-02-30T00:00:00",
        "99999999999999999999",
        "9999999999999999999",
        "2023-11-16",
        "-5",
        "2023-11-16T18:17:03+99:00",
        "9999-01-01T00:00:00Z"
      })
  void parse_noTime_isUnparsed(String time) {
    CsvLogParser parser = CsvLogParser.of("time,user", CsvColumns.DEFAULTS);

    assertThat(parser.parse(2, time + ",a"))
        .isEqualTo(new LogLine.Unparsed(2, "must be a time: time=" + time));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "12.0,12", "4.8e3,4800", "' 7 ',7"})
  void parse_wholeCost_isRead(String cost, long expected) {
    LogLine line = CsvLogParser.of("at,tokens", WITH_COST).parse(2, "1," + cost);

    assertThat(((LogLine.Parsed) line).request().cost()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "0.5", "1.5", "many", "1e13", "1e999999999", "NaN"})
  void parse_costThatIsNotWhole_isUnparsed(String cost) {
    assertThat(CsvLogParser.of("at,tokens", WITH_COST).parse(2, "1," + cost))
        .isEqualTo(new LogLine.Unparsed(2, "must be a whole number >= 1: tokens=" + cost));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t "})
  void parse_blankLine_isUnparsed(String line) {
    assertThat(CsvLogParser.of("time,user", CsvColumns.DEFAULTS).parse(4, line))
        .isEqualTo(new LogLine.Unparsed(4, "is empty"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0001',
      value = {
        "1|must have 2 fields: fields=1",
        "1,a,b|must have 2 fields: fields=3",
        "1,\"a\"b|must have a comma, or the end of the line, after a closing quote"
      })
  void parse_brokenRecord_isUnparsedWithItsReason(String line, String reason) {
    assertThat(CsvLogParser.of("time,user", CsvColumns.DEFAULTS).parse(5, line))
        .isEqualTo(new LogLine.Unparsed(5, reason));
  }

  @Test
  void header_withoutTheColumns_isRefusedWithThoseThereAre() {
    assertThatThrownBy(() -> CsvLogParser.of("a,b", CsvColumns.DEFAULTS))
        .hasMessage("must be given, as no column is called timestamp: --time (one of a, b)");
    assertThatThrownBy(() -> CsvLogParser.of("a,b", WITH_COST))
        .hasMessage("must be one of a, b: --time=at");
    assertThatThrownBy(() -> CsvLogParser.of("at,b", WITH_COST))
        .hasMessage("must be one of at, b: --cost=tokens");
    assertThatThrownBy(() -> CsvLogParser.of("at,at", CsvColumns.DEFAULTS))
        .hasMessage("must be a header of different column names: line 1: at,at");
    assertThatThrownBy(() -> CsvLogParser.of("", CsvColumns.DEFAULTS))
        .hasMessageStartingWith("must be a header of different column names");
  }
}
