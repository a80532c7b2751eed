package io.quotaenforcer.cli.entitlements;

import io.quotaenforcer.cli.log.CsvFields;
import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.rule.Entitlement;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file of entitlements: comma-separated values (RFC 4180, one line for each quota key) with a
 * header that names each attribute of the rule's key, and {@code permits}, {@code plan} and {@code
 * exempt}, of which a line gives one. It is read line by line, and never held as a whole.
 */
public final class EntitlementCsv {
  private static final String PERMITS = "permits";
  private static final String PLAN = "plan";
  private static final String EXEMPT = "exempt";
  private static final List<String> LIMITS = List.of(PERMITS, PLAN, EXEMPT);
  private static final String ONE_OF = "give one of permits, plan and exempt";

  private final Path file;
  private final EntitledRule rule;

  public EntitlementCsv(Path file, EntitledRule rule) {
    this.file = file;
    this.rule = rule;
  }

  /** The columns of the header. */
  private record Columns(List<String> names, List<Integer> ofKey) {
    @Nullable String value(List<String> fields, String name) {
      int at = names.indexOf(name);
      return at < 0 || fields.get(at).isBlank() ? null : fields.get(at).strip();
    }
  }

  /**
   * Passes on what each right line says, and what is wrong with the others, as {@code file:line:
   * what; remedy}.
   *
   * @param sink takes the quota keys of a line: two while keys for hashes are rotated
   * @return lines that were right
   */
  public long read(BiConsumer<List<QuotaKey>, Entitlement> sink, Consumer<String> problems)
      throws IOException {
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String header = in.readLine();
      Columns columns = columns(header == null ? "" : header.replaceFirst("^\uFEFF", ""), problems);
      if (columns == null) {
        return 0;
      }
      long right = 0;
      long number = 1;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        try {
          if (!line.isBlank()) {
            read(columns, line, sink);
            right++;
          }
        } catch (IllegalArgumentException e) {
          problems.accept("%s:%d: %s".formatted(file, number, e.getMessage()));
        }
      }
      return right;
    }
  }

  private @Nullable Columns columns(String header, Consumer<String> problems) {
    List<String> taken = rule.attributes().stream().filter(LIMITS::contains).toList();
    if (!taken.isEmpty()) {
      problems.accept(
          "%s:1: rule %s has %s in its key, and a file says by that column what the limit is; use quota entitlements set for each quota key"
              .formatted(file, rule.rule().id(), String.join(" and ", taken)));
      return null;
    }
    List<String> names =
        CsvFields.split(header).orElse(List.of()).stream().map(String::strip).toList();
    Set<String> known = new HashSet<>(rule.attributes());
    known.addAll(LIMITS);
    List<String> wrong = new ArrayList<>();
    for (String attribute : rule.attributes()) {
      if (!names.contains(attribute)) {
        wrong.add(
            "no column \"%s\", which is in the key of rule %s"
                .formatted(attribute, rule.rule().id()));
      }
    }
    if (names.stream().noneMatch(LIMITS::contains)) {
      wrong.add("no column permits, plan or exempt");
    }
    names.stream()
        .filter(name -> !known.contains(name))
        .forEach(name -> wrong.add("unknown column \"%s\"".formatted(name)));
    if (Set.copyOf(names).size() < names.size()) {
      wrong.add("a column comes twice");
    }
    wrong.forEach(
        what ->
            problems.accept(
                "%s:1: %s; the header must be %s and one or more of permits, plan, exempt"
                    .formatted(file, what, String.join(",", rule.attributes()))));
    return wrong.isEmpty()
        ? new Columns(names, rule.attributes().stream().map(names::indexOf).toList())
        : null;
  }

  private void read(Columns columns, String line, BiConsumer<List<QuotaKey>, Entitlement> sink) {
    List<String> fields =
        CsvFields.split(line)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "a quoted field is not closed, or text follows it; close it on its line,"
                            + " and write \"\" for a quote in it"));
    if (fields.size() != columns.names.size()) {
      throw new IllegalArgumentException(
          "%d field(s), and the header has %d; give each, if only empty"
              .formatted(fields.size(), columns.names.size()));
    }
    List<String> values = new ArrayList<>();
    for (int at : columns.ofKey) {
      if (fields.get(at).isEmpty()) {
        throw new IllegalArgumentException(
            "%s is empty; give the value of the quota key".formatted(columns.names.get(at)));
      }
      values.add(fields.get(at));
    }
    Entitlement entitlement = entitlement(columns, fields);
    rule.problem(entitlement)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
    sink.accept(rule.keysOf(values), entitlement);
  }

  private static Entitlement entitlement(Columns columns, List<String> fields) {
    String permits = columns.value(fields, PERMITS);
    String plan = columns.value(fields, PLAN);
    String exempt = columns.value(fields, EXEMPT);
    boolean isExempt = "true".equals(exempt);
    if (exempt != null && !isExempt && !exempt.equals("false")) {
      throw new IllegalArgumentException(
          "exempt is \"%s\"; write true, or leave it empty".formatted(exempt));
    }
    int given = (permits == null ? 0 : 1) + (plan == null ? 0 : 1) + (isExempt ? 1 : 0);
    if (given != 1) {
      throw new IllegalArgumentException(
          given == 0 ? "no limit; " + ONE_OF : "%d limits; %s".formatted(given, ONE_OF));
    }
    return permits == null
        ? plan == null ? new Entitlement.Exempt() : new Entitlement.Plan(plan)
        : new Entitlement.Permits(number(permits));
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "permits is \"%s\"; give a whole number".formatted(text), e);
    }
  }
}
