package io.quotaenforcer.rules;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Parses text into YAML nodes that know their place, whatever the text is. */
public final class YamlDocument {
  /** Length of a file, in characters: some ten thousand rules. */
  static final int MAX_CHARS = 2 * 1024 * 1024;

  /** A rule needs seven levels. */
  private static final int MAX_DEPTH = 20;

  /** Each use of an alias is read again: many uses make a small file large. */
  private static final int MAX_ALIASES = 100;

  private YamlDocument() {}

  /** The root of the single document in {@code text}; null if there is none, which is reported. */
  static @Nullable Node compose(String text, Problems problems) {
    return compose(text, "rules", problems);
  }

  /**
   * Like {@link #compose(String, Problems)}, for a file of another form.
   *
   * @param list the key after the domain in such a file
   */
  public static @Nullable Node compose(String text, String list, Problems problems) {
    // A byte order mark at the start is not a character of the file.
    String yaml = text.startsWith("\ufeff") ? text.substring(1) : text;
    if (yaml.length() > MAX_CHARS) {
      problems.at(1, 1, "the file is too large; split it, at most " + MAX_CHARS + " characters");
      return null;
    }
    try {
      LoadSettings settings = settings(problems.file());
      if (!modest(yaml, settings, problems)) {
        return null;
      }
      Optional<Node> root = new Compose(settings).composeString(yaml);
      if (root.isEmpty()) {
        problems.at(1, 1, "the file is empty; begin with \"domain: NAME\" and \"" + list + ":\"");
      }
      return root.orElse(null);
    } catch (ReaderException e) {
      reportCharacter(yaml, e, problems);
    } catch (MarkedYamlEngineException e) {
      problems.at(e.getProblemMark(), "broken YAML: " + describe(e));
    } catch (YamlEngineException e) {
      problems.at(1, 1, "broken YAML: " + e.getMessage());
    }
    return null;
  }

  private static LoadSettings settings(String file) {
    return LoadSettings.builder()
        .setLabel(file)
        .setCodePointLimit(MAX_CHARS)
        .setMaxAliasesForCollections(MAX_ALIASES)
        .setAllowNonScalarKeys(true)
        .setUseMarks(true)
        .build();
  }

  /** Whether nesting and aliases are within bounds, found without building anything. */
  private static boolean modest(String yaml, LoadSettings settings, Problems problems) {
    int depth = 0;
    int aliases = 0;
    for (Event event : new Parse(settings).parseString(yaml)) {
      if (event instanceof CollectionStartEvent && ++depth > MAX_DEPTH) {
        problems.at(event.getStartMark(), "nested too deeply; at most " + MAX_DEPTH + " levels");
        return false;
      }
      if (event instanceof CollectionEndEvent) {
        depth--;
      }
      if (event instanceof AliasEvent && ++aliases > MAX_ALIASES) {
        problems.at(
            event.getStartMark(), "too many aliases; at most " + MAX_ALIASES + " in a file");
        return false;
      }
    }
    return true;
  }

  private static String describe(MarkedYamlEngineException e) {
    String problem = e.getProblem() == null ? "cannot be read" : e.getProblem();
    if (problem.contains("'\\t(TAB)'") || problem.contains("\t")) {
      return "a tab cannot indent; use spaces";
    }
    if (problem.contains("another document")) {
      return "a second document begins here; one file holds one document";
    }
    if (problem.startsWith("mapping values are not allowed")) {
      return "a \":\" is not allowed here; check the indentation, or quote the value";
    }
    if (problem.startsWith("found undefined alias")) {
      return problem + "; quote a value that begins with \"*\"";
    }
    String context = e.getContext() == null ? "" : e.getContext();
    if (context.matches("while parsing a flow (mapping|sequence)")
        && e.getContextMark().isPresent()) {
      return "the \"%s\" in line %d is not closed before this; close it, or put a comma"
          .formatted(
              context.contains("mapping") ? "{" : "[", e.getContextMark().get().getLine() + 1);
    }
    if (context.contains("an alias")) {
      return "a \"*\" without quotes begins an alias; quote the value";
    }
    String message = context.isEmpty() ? problem : context + ", " + problem;
    return message.replaceAll("\\p{Cntrl}", " ");
  }

  private static void reportCharacter(String yaml, ReaderException e, Problems problems) {
    int index =
        yaml.offsetByCodePoints(
            0, Math.min(e.getPosition(), yaml.codePointCount(0, yaml.length())));
    String before = yaml.substring(0, index);
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    int column = before.codePointCount(before.lastIndexOf('\n') + 1, before.length()) + 1;
    problems.at(
        line,
        column,
        String.format(
            "the character U+%04X is not allowed; escape it in quotes", e.getCodePoint()));
  }
}
