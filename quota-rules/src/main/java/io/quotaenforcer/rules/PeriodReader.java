package io.quotaenforcer.rules;

import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.core.algorithm.Windows;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code per: 1s}, and {@code per: month} with {@code zone: Europe/Berlin}. */
record PeriodReader(Problems problems, Scalars scalars) {
  private static final List<String> UNITS = Words.of(Windows.CalendarUnit.values());

  /** Length of {@code day}; shorter words are equally close to all units. */
  private static final int SHORTEST_UNIT = 3;

  PeriodReader(Problems problems) {
    this(problems, new Scalars(problems));
  }

  /**
   * Reads a period.
   *
   * @param zoneNode null for UTC
   */
  @Nullable Windows read(Node node, @Nullable Node zoneNode) {
    String text = scalars.text(node, "per");
    if (text == null) {
      return null;
    }
    if (UNITS.contains(text)) {
      ZoneId zone = zoneNode == null ? ZoneOffset.UTC : zone(zoneNode);
      Windows.CalendarUnit unit = Windows.CalendarUnit.values()[UNITS.indexOf(text)];
      return zone == null ? null : new Windows.Calendar(unit, zone);
    }
    if (zoneNode != null) {
      problems.at(
          zoneNode,
          "zone has a meaning for a period of the calendar only; remove it, or use one of per: "
              + String.join(", ", UNITS));
    }
    Optional<String> unit = nearestUnit(text);
    if (unit.isPresent()) {
      problems.at(
          node,
          "per %s is no duration; did you mean %s?"
              .formatted(Problems.quote(text), Problems.quote(unit.get())));
      return null;
    }
    Long nanos = scalars.period(node);
    return nanos == null ? null : new Windows.Aligned(nanos);
  }

  /**
   * Checks the period in an override: it must be the rule's own.
   *
   * @param node null if it is left out
   * @param zoneNode null if it is left out: as in the rule
   */
  void checkOverride(@Nullable Node node, @Nullable Node zoneNode, Windows ofRule) {
    if (zoneNode != null && ofRule instanceof Windows.Calendar calendar) {
      ZoneId zone = zone(zoneNode);
      if (zone != null && !zone.equals(calendar.zone())) {
        problems.mustBeAsInRule(zoneNode, "zone", zone.getId(), calendar.zone().getId());
      }
    }
    Windows windows = node == null ? null : read(node, isCalendar(ofRule) ? null : zoneNode);
    if (node != null && windows != null && !Words.per(windows).equals(Words.per(ofRule))) {
      problems.mustBeAsInRule(node, "per", Words.per(windows), Words.per(ofRule));
    } else if (node == null && zoneNode != null && !isCalendar(ofRule)) {
      problems.at(zoneNode, "zone has no meaning for per: " + Words.per(ofRule) + "; remove it");
    }
  }

  private static boolean isCalendar(Windows windows) {
    return windows instanceof Windows.Calendar;
  }

  /** The calendar unit probably meant by a word. */
  private static Optional<String> nearestUnit(String text) {
    boolean word = text.length() >= SHORTEST_UNIT && text.chars().allMatch(Character::isLetter);
    return word ? Suggestions.nearest(text, UNITS) : Optional.empty();
  }

  private @Nullable ZoneId zone(Node node) {
    String name = scalars.text(node, "zone");
    if (name == null) {
      return null;
    }
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      String remedy =
          Suggestions.nearest(name, ZoneId.getAvailableZoneIds())
              .map(near -> "did you mean \"" + near + "\"?")
              .orElse("use a name such as Europe/Berlin, or UTC");
      problems.at(node, "unknown time zone " + Problems.quote(name) + "; " + remedy);
      return null;
    }
  }
}
