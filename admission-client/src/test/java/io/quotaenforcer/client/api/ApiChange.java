package io.quotaenforcer.client.api;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/** The text of an API, and how two of them differ. */
final class ApiChange {
  private ApiChange() {}

  /** A line for each type, and below it, indented, one for each member. */
  static List<String> lines(SortedMap<String, List<String>> api) {
    List<String> lines = new ArrayList<>();
    api.forEach(
        (type, members) -> {
          lines.add(type);
          members.forEach(member -> lines.add("  " + member));
        });
    return lines;
  }

  /** The lines that are in one only, each below the type that it belongs to. */
  static List<String> between(List<String> committed, List<String> now) {
    Set<String> before = named(committed);
    Set<String> after = named(now);
    List<String> changes = new ArrayList<>();
    before.stream().filter(line -> !after.contains(line)).forEach(it -> changes.add("- " + it));
    after.stream().filter(line -> !before.contains(line)).forEach(it -> changes.add("+ " + it));
    return changes;
  }

  private static Set<String> named(List<String> lines) {
    Set<String> named = new LinkedHashSet<>();
    String type = "";
    for (String line : lines) {
      boolean isMember = line.startsWith("  ");
      type = isMember ? type : line.substring(0, Math.max(0, line.indexOf(": ")));
      named.add(isMember ? type + " " + line.strip() : line);
    }
    return named;
  }
}
