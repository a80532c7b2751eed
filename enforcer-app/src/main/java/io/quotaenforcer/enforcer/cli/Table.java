package io.quotaenforcer.enforcer.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table of text: as wide as its cells, columns of numbers to the right. */
final class Table {
  private static final String GAP = "  ";

  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... header) {
    this.header = List.of(header);
  }

  Table row(Object... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(
          "must be %d cells: cells=%d".formatted(header.size(), cells.length));
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      // A cell is one line, whatever it holds.
      row.add(String.valueOf(cell).replaceAll("\\p{Cntrl}", "?"));
    }
    rows.add(row);
    return this;
  }

  void print(PrintWriter out) {
    int columns = header.size();
    int[] widths = new int[columns];
    boolean[] right = new boolean[columns];
    for (int i = 0; i < columns; i++) {
      widths[i] = header.get(i).length();
      right[i] = !rows.isEmpty();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
        right[i] &= isNumber(row.get(i));
      }
    }
    out.println(line(header, widths, right));
    rows.forEach(row -> out.println(line(row, widths, right)));
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

  private static boolean isNumber(String cell) {
    return cell.matches("-?[0-9][0-9,.]*( ?%)?|-");
  }
}
