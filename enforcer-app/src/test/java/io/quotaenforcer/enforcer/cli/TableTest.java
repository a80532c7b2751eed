package io.quotaenforcer.enforcer.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columns_asWideAsTheirCells_numbersToTheRight() {
    assertThat(print(new Table("NAME", "N", "NOTE").row("a", 10, "x").row("long", "5", "-")))
        .isEqualTo("NAME   N  NOTE\na     10  x\nlong   5  -\n");
  }

  @Test
  void cell_withControlCharacters_staysOnItsLine() {
    assertThat(print(new Table("A").row("a\nb\u001b[31m"))).isEqualTo("A\na?b?[31m\n");
  }

  @Test
  void row_ofAnotherLength_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Table("A", "B").row("a"))
        .withMessage("must be 2 cells: cells=1");
  }

  private static String print(Table table) {
    StringWriter text = new StringWriter();
    table.print(new PrintWriter(text));
    return text.toString();
  }
}
