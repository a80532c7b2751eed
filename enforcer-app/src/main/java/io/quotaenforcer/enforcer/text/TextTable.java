package io.quotaenforcer.enforcer.text;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns: the first to the left, the others to the right. */
public final class TextTable {
  private final List<String[]> rows = new ArrayList<>();

  public TextTable row(String... cells) {
    rows.add(cells.clone());
    return this;
  }

  /** One line per row, without a line end. */
  public List<String> lines() {
    int columns = rows.stream().mapToInt(row -> row.length).max().orElse(0);
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String padding = " ".repeat(widths[i] - row[i].length());
        line.append(i == 0 ? "" : "  ").append(i == 0 ? row[i] + padding : padding + row[i]);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
