package io.quotaenforcer.enforcer.api;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.enforcer.api.ApiProblem.Kind;
import io.quotaenforcer.enforcer.rules.PublishedRules;
import io.quotaenforcer.rules.RuleFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The versions that an author has seen of the rules that a file replaces: {@code
 * per-user:3,pool:0}, 0 for a new one.
 */
record SeenVersions(Map<RuleId, Long> versions) {
  /** Of rules of one domain. */
  static SeenVersions of(List<Rule> rules) {
    Map<RuleId, Long> versions = new TreeMap<>();
    rules.forEach(rule -> versions.put(rule.id(), rule.version()));
    return new SeenVersions(versions);
  }

  /** The text that is read back. */
  String text() {
    return versions.entrySet().stream()
        .map(one -> one.getKey().id() + ":" + one.getValue())
        .collect(Collectors.joining(","));
  }

  /**
   * Reads them.
   *
   * @throws ApiProblem if the version of a rule of the file is not given
   * @throws IllegalArgumentException if the text has another form, or names a rule of no file
   */
  static SeenVersions of(String text, RuleFile.Valid file) {
    Map<RuleId, Long> given = new TreeMap<>();
    for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String[] parts = each.split(":", -1);
      if (parts.length != 2 || !RuleId.isName(parts[0]) || !parts[1].matches("[0-9]{1,18}")) {
        throw new IllegalArgumentException("must be ID:VERSION,...: versions=" + text);
      }
      if (given.put(new RuleId(file.domain(), parts[0]), Long.valueOf(parts[1])) != null) {
        throw new IllegalArgumentException("must be given only once: versions of " + parts[0]);
      }
    }
    List<RuleId> wanted = file.rules().stream().map(Rule::id).toList();
    List<String> missing =
        wanted.stream().filter(id -> !given.containsKey(id)).map(RuleId::id).toList();
    if (!missing.isEmpty()) {
      throw new ApiProblem(
          Kind.UNCONDITIONAL,
          "send versions=ID:VERSION,... with the version that is replaced of each rule of the file,"
              + " 0 for a new one; missing: "
              + String.join(", ", missing));
    }
    given.keySet().stream()
        .filter(id -> !wanted.contains(id))
        .findFirst()
        .ifPresent(
            id -> {
              throw new IllegalArgumentException(
                  "must be a rule of the file: versions of " + id.id());
            });
    return new SeenVersions(given);
  }

  /**
   * Compares them with what is published.
   *
   * @throws ApiProblem that names the rules of which another version is published
   */
  void check(PublishedRules published) {
    List<String> moved = new ArrayList<>();
    versions.forEach(
        (id, seen) -> {
          long now = published.rule(id).map(Rule::version).orElse(0L);
          if (now != seen) {
            moved.add(
                now == 0 ? id + " is not published" : "%s has the version %d".formatted(id, now));
          }
        });
    if (!moved.isEmpty()) {
      throw new ApiProblem(
          Kind.CHANGED,
          "nothing was published: %s; read it, and repeat with that version"
              .formatted(String.join(", ", moved)));
    }
  }
}
