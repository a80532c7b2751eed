package io.quotaenforcer.docs;

import io.quotaenforcer.rules.RuleFields;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page of rules: written by hand, except for its table of fields. */
final class RulesPage {
  static final String FILE = "rules.md";

  private static final Pattern FIELDS =
      Pattern.compile("(?m)^\\| field \\| values \\| default \\|\\n(\\|.*\\n)+");

  private RulesPage() {}

  /** The page with its table as the code has it. */
  static Page write(String committed) {
    String table =
        new Markdown()
            .table(
                List.of("field", "values", "default"),
                RuleFields.docs().stream()
                    .map(doc -> List.of(doc.field(), doc.values(), doc.byDefault()))
                    .toList())
            .to(FILE)
            .text()
            .stripLeading();
    Matcher fields = FIELDS.matcher(committed);
    if (!fields.find()) {
      throw new IllegalStateException("must have a table of fields: page=" + FILE);
    }
    return new Page(
        FILE, new StringBuilder(committed).replace(fields.start(), fields.end(), table).toString());
  }
}
