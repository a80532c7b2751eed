package io.quotaenforcer.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class TextTableTest {
  @Test
  void columns_asWideAsTheirCells_numbersToTheRight() {
    TextTable table = TextTable.of("NAME", "N", "NOTE").row("a", 10, "x").row("long", "5", "-");

    assertThat(table.lines()).containsExactly("NAME   N  NOTE", "a     10  x", "long   5  -");
  }

  @Test
  void columns_ofFigures_allButTheFirstToTheRight() {
    TextTable table = TextTable.ofFigures("rule", "kind", "n").row("a", "strict", "1,000");

    assertThat(table.lines()).containsExactly("rule    kind      n", "a     strict  1,000");
  }

  @Test
  void table_withoutRows_isItsHeader() {
    assertThat(TextTable.of("NAME", "N").lines()).containsExactly("NAME  N");
  }

  @Test
  void cell_withControlCharacters_staysOnItsLine() {
    assertThat(TextTable.of("A").row("a\nb\u001b[31m").lines())
        .containsExactly("A", "a\\u000ab\\u001b[31m");
  }

  @Test
  void row_ofAnotherLength_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TextTable.of("A", "B").row("a"))
        .withMessage("must be 2 cells: cells=1");
  }
}
