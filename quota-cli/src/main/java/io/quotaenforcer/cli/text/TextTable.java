package io.quotaenforcer.cli.text;

import io.quotaenforcer.server.text.Printable;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of text in columns as wide as their cells. A cell is one line of printable characters,
 * whatever it holds.
 */
public final class TextTable {
  private static final String GAP = "  ";

  private final boolean figures;
  private final List<List<String>> rows = new ArrayList<>();

  private TextTable(boolean figures, String... header) {
    this.figures = figures;
    row((Object[]) header);
  }

  /** A table with columns of numbers aligned right. */
  public static TextTable of(String... header) {
    return new TextTable(false, header);
  }

  /** A table with all columns but the first aligned right. */
  public static TextTable ofFigures(String... header) {
    return new TextTable(true, header);
  }

  public TextTable row(Object... cells) {
    if (!rows.isEmpty() && cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "must be %d cells: cells=%d".formatted(rows.get(0).size(), cells.length));
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(Printable.line(String.valueOf(cell)));
    }
    rows.add(row);
    return this;
  }

  /** One line per row, the header first, without a line end. */
  public List<String> lines() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    boolean[] right = new boolean[columns];
    for (int i = 0; i < columns; i++) {
      right[i] = figures ? i > 0 : isOfNumbers(i);
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths, right)).toList();
  }

  private static String line(List<String> cells, int[] widths, boolean[] right) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? "" : GAP).append(right[i] ? padding + cell : cell + padding);
    }
    return line.toString().stripTrailing();
  }

  private boolean isOfNumbers(int column) {
    return rows.size() > 1
        && rows.stream()
            .skip(1)
            .allMatch(row -> row.get(column).matches("-?[0-9][0-9,.]*( ?%)?|-"));
  }
}
