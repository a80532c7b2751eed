package io.quotaenforcer.docs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines that a file of a sample has because of quotas: those between {@code quota} and {@code
 * end of quota}, each a comment of its own.
 *
 * @param counted the lines between, but for blank ones
 * @param missed lines elsewhere that have to do with quotas all the same
 */
record Glue(List<String> counted, List<String> missed) {
  private static final Pattern BEGIN = Pattern.compile("(//|#) quota");
  private static final Pattern END = Pattern.compile("(//|#) end of quota");
  private static final Pattern NOT_COUNTED = Pattern.compile("(import|package) .*;");
  private static final Pattern OURS =
      Pattern.compile("import (?:static )?io[.]quotaenforcer[.].*;");
  private static final Pattern DECLARED = Pattern.compile("\\w[\\w<>]* (\\w+) =");

  /** Finds them. */
  static Glue of(List<String> lines) {
    List<String> counted = new ArrayList<>();
    List<String> others = new ArrayList<>();
    Set<String> names = new HashSet<>();
    boolean ours = false;
    for (String line : lines) {
      String text = line.strip();
      boolean begins = BEGIN.matcher(text).matches();
      if (begins || END.matcher(text).matches()) {
        if (begins == ours) {
          throw new IllegalArgumentException("must begin and end in turn: " + text);
        }
        ours = begins;
      } else if (OURS.matcher(text).matches()) {
        names.add(text.substring(text.lastIndexOf('.') + 1, text.length() - 1));
      } else if (!text.isEmpty() && !NOT_COUNTED.matcher(text).matches()) {
        (ours ? counted : others).add(text);
      }
    }
    if (ours) {
      throw new IllegalArgumentException("must end: quota");
    }
    for (String line : counted) {
      DECLARED.matcher(line).results().forEach(found -> names.add(found.group(1)));
    }
    return new Glue(counted, others.stream().filter(line -> isAbout(line, names)).toList());
  }

  /** Whether a line says quota, in whatever word, or names a type of ours or what is made of it. */
  private static boolean isAbout(String line, Set<String> names) {
    Matcher words = Pattern.compile("\\w+").matcher(line);
    return words
        .results()
        .anyMatch(word -> word.group().matches("(?i).*quota.*") || names.contains(word.group()));
  }
}
