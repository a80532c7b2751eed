package io.quotaenforcer.enforcer.rules;

import io.quotaenforcer.core.Suggestions;
import io.quotaenforcer.core.algorithm.Windows;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads {@code per: 1s}, and {@code per: month} with {@code zone: Europe/Berlin}. */
final class PeriodReader {
  private static final List<String> UNITS = Words.of(Windows.CalendarUnit.values());

  private final Problems problems;
  private final Scalars scalars;

  PeriodReader(Problems problems) {
    this.problems = problems;
    this.scalars = new Scalars(problems);
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
    Long nanos = scalars.period(node);
    return nanos == null ? null : new Windows.Aligned(nanos);
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
