package io.quotaenforcer.docs;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A Markdown page that is being written. */
final class Markdown {
  private final StringBuilder text = new StringBuilder();

  /**
   * Begins a page.
   *
   * @param checkedAgainst the classes that it is written from
   */
  static Markdown page(String title, String checkedAgainst) {
    return new Markdown()
        .line("# " + title)
        .paragraph(
            "Written from the code (%s); a test fails when it differs. To write it anew: `%s`."
                .formatted(checkedAgainst, Pages.COMMAND));
  }

  Markdown heading(String heading) {
    return line("").line("## " + heading);
  }

  Markdown paragraph(String paragraph) {
    return line("").line(paragraph);
  }

  Markdown block(String language, String content) {
    return line("").line("```" + language).line(content.stripTrailing()).line("```");
  }

  Markdown table(List<String> head, List<List<String>> rows) {
    line("").row(head).row(head.stream().map(cell -> "---").toList());
    rows.forEach(this::row);
    return this;
  }

  /** Text in a fixed-width font; empty stays empty. */
  static String code(String code) {
    return code.isEmpty() ? "" : "`" + code + "`";
  }

  Page to(String file) {
    return new Page(file, text.toString());
  }

  private Markdown row(List<String> cells) {
    return line(
        cells.stream()
            .map(cell -> cell.replace("|", "\\|"))
            .collect(Collectors.joining(" | ", "| ", " |")));
  }

  private Markdown line(String line) {
    String lines = Arrays.stream(line.split("\\R", -1)).collect(Collectors.joining("\n"));
    text.append(lines).append('\n');
    return this;
  }
}
