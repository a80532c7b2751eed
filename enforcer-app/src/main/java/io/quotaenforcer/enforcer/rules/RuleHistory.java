package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.RuleId;
import io.quotaenforcer.core.message.RuleVersion;
import io.quotaenforcer.core.rule.Rule;
import io.quotaenforcer.rules.RuleChange;
import io.quotaenforcer.rules.RuleChange.Added;
import io.quotaenforcer.rules.RuleChange.Changed;
import io.quotaenforcer.rules.RuleChange.Deleted;
import io.quotaenforcer.rules.RuleYaml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The versions of rules that are still known. Versions in force are among them, even without a
 * record. Immutable.
 */
public final class RuleHistory {
  private static final long FRESH_MILLIS = Duration.ofDays(1).toMillis();

  private final Map<RuleId, NavigableMap<Long, RuleVersion>> versions;
  private final List<Unreadable> unreadable;
  private final PublishedRules published;

  private RuleHistory(
      Map<RuleId, NavigableMap<Long, RuleVersion>> versions,
      List<Unreadable> unreadable,
      PublishedRules published) {
    this.versions = versions;
    this.unreadable = List.copyOf(unreadable);
    this.published = published;
  }

  /** An unreadable record of the history, and the reason. */
  record Unreadable(String key, long offset, String reason) {
    @Override
    public String toString() {
      return key + " at offset " + offset + ": " + reason;
    }
  }

  /**
   * The history told by records and the rules in force.
   *
   * @param unreadable the unreadable records
   */
  static RuleHistory of(
      Collection<RuleVersion> records, PublishedRules published, List<Unreadable> unreadable) {
    Map<RuleId, NavigableMap<Long, RuleVersion>> versions = new TreeMap<>();
    for (RuleVersion version : records) {
      // Of two records, the one that names the author was written first.
      versionsOf(version.id(), versions)
          .merge(version.version(), version, (a, b) -> a.author().isPresent() ? a : b);
    }
    for (Rule rule : published.rules().values()) {
      long atMillis = published.atMillis().getOrDefault(rule.id(), 0L);
      versionsOf(rule.id(), versions).putIfAbsent(rule.version(), unrecorded(rule, atMillis));
    }
    return new RuleHistory(versions, unreadable, published);
  }

  /** Every rule known to have existed, ordered by domain and id. */
  public Set<RuleId> rules() {
    return versions.keySet();
  }

  /** The known versions of a rule, oldest first. */
  public List<RuleVersion> versions(RuleId id) {
    NavigableMap<Long, RuleVersion> known = versions.get(id);
    return known == null ? List.of() : List.copyOf(known.values());
  }

  public Optional<RuleVersion> version(RuleId id, long version) {
    return versions(id).stream().filter(it -> it.version() == version).findFirst();
  }

  /** The changes of each known version of a rule, oldest first. */
  public List<VersionChange> changes(RuleId id) {
    List<VersionChange> changes = new ArrayList<>();
    RuleVersion before = null;
    for (RuleVersion version : versions(id)) {
      changes.add(VersionChange.between(before, version));
      before = version;
    }
    return changes;
  }

  /** The unreadable records, with reasons. */
  public List<String> unreadable() {
    return unreadable.stream().map(Unreadable::toString).toList();
  }

  /**
   * The number of a rule's next version: one more than its last one, which may be a deletion; 1 for
   * an unknown rule. Taken from the history, since compaction removes deleted rules from the rules
   * topic.
   */
  long nextVersion(RuleId id) {
    NavigableMap<Long, RuleVersion> known = versions.get(id);
    long next = known == null ? 1 : known.lastKey() + 1;
    String key = id.toString();
    boolean isHidden =
        published.unreadable().containsKey(key)
            || unreadable.stream().anyMatch(record -> record.key().equals(key));
    return isHidden ? Math.max(next, published.versionAboveAll()) : next;
  }

  /**
   * The records for publishing changes: a version for each change, and before it the replaced
   * version, unless that was recorded recently. So one can go back a step for as long as records
   * are kept, however long the previous version was in force.
   */
  List<RuleVersion> publishing(List<RuleChange> changes, long nowMillis, Authorship by) {
    List<RuleVersion> records = new ArrayList<>();
    for (RuleChange change : changes) {
      if (change instanceof Added added) {
        records.add(record(added.rule(), true, nowMillis, by));
      } else if (change instanceof Changed changed) {
        fading(changed.before(), nowMillis).ifPresent(records::add);
        records.add(record(changed.after(), false, nowMillis, by));
      } else if (change instanceof Deleted deleted) {
        deleted.before().flatMap(rule -> fading(rule, nowMillis)).ifPresent(records::add);
        records.add(
            new RuleVersion(
                deleted.id(),
                nextVersion(deleted.id()),
                false,
                Optional.empty(),
                nowMillis,
                Optional.of(by.author()),
                by.message()));
      }
    }
    return records;
  }

  /** Whether a rule's oldest remaining record was written when the rule was added. */
  static boolean isNew(RuleVersion oldest, long writtenMillis) {
    return oldest.added() && writtenMillis - oldest.atMillis() <= FRESH_MILLIS;
  }

  /** The version in force, if its record is missing or expires early. */
  private Optional<RuleVersion> fading(Rule inForce, long nowMillis) {
    return version(inForce.id(), inForce.version())
        .filter(it -> it.author().isEmpty() || nowMillis - it.atMillis() > FRESH_MILLIS);
  }

  private static RuleVersion record(Rule rule, boolean added, long atMillis, Authorship by) {
    return new RuleVersion(
        rule.id(),
        rule.version(),
        added,
        Optional.of(yaml(rule)),
        atMillis,
        Optional.of(by.author()),
        by.message());
  }

  private static RuleVersion unrecorded(Rule rule, long atMillis) {
    return new RuleVersion(
        rule.id(),
        rule.version(),
        false,
        Optional.of(yaml(rule)),
        atMillis,
        Optional.empty(),
        Optional.empty());
  }

  private static String yaml(Rule rule) {
    return RuleYaml.file(rule.id().domain(), List.of(rule));
  }

  private static NavigableMap<Long, RuleVersion> versionsOf(
      RuleId id, Map<RuleId, NavigableMap<Long, RuleVersion>> versions) {
    return versions.computeIfAbsent(id, it -> new TreeMap<>());
  }
}
