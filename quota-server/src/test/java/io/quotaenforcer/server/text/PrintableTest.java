package io.quotaenforcer.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "posts/per-user", "a b", "Zoë 名前 \ud83d\ude00", "100 %"})
  void text_thatIsPrintable_isLeftAlone(String text) {
    assertThat(Printable.line(text)).isSameAs(text);
  }

  @ParameterizedTest
  @CsvSource({
    "'\u001b[31mred', '\\u001b[31mred'",
    "'a\bb', 'a\\u0008b'",
    "'a\u0007\u009b2J', 'a\\u0007\\u009b2J'",
    "'\u202egnp.exe', '\\u202egnp.exe'",
    "'\udb40\udc01x', '\\u{e0001}x'",
    "'\ud800', '\\ud800'",
  })
  void text_thatWouldDriveATerminal_isEscaped(String text, String printed) {
    assertThat(Printable.line(text)).isEqualTo(printed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"one\ntwo"})
  void lineEnds_areKeptOnlyWhereLinesAreMeant(String text) {
    assertThat(Printable.lines(text)).isEqualTo("one\ntwo");
    assertThat(Printable.line(text)).isEqualTo("one\\u000atwo");
  }
}
