package io.quotaenforcer.lab.trace;

import io.quotaenforcer.core.PermitSource;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A decision in a trace.
 *
 * @param rule domain/id
 * @param key text of the quota key
 * @param source origin of the permits; nowhere if it was throttled
 * @param windowStartMicros window that the permits were taken from; empty for kinds without windows
 */
public record TraceRow(
    long epochMicros,
    String instance,
    String rule,
    String key,
    long cost,
    PermitSource source,
    OptionalLong windowStartMicros) {
  static final String HEADER =
      "epochMicros,instance,rule,key,cost,outcome,source,windowStartMicros";
  private static final int FIELDS = 8;

  public boolean admitted() {
    return source != PermitSource.NONE;
  }

  void appendTo(StringBuilder line) {
    line.append(epochMicros).append(',').append(instance).append(',').append(rule).append(',');
    line.append(key).append(',').append(cost).append(admitted() ? ",ADMITTED," : ",THROTTLED,");
    line.append(admitted() ? source.name().toLowerCase(Locale.ROOT) : "").append(',');
    windowStartMicros.ifPresent(line::append);
    line.append('\n');
  }

  /** Reads a line; throws an IllegalArgumentException with the problem. */
  static TraceRow parse(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("must have 8 fields: " + line);
    }
    try {
      return new TraceRow(
          Long.parseLong(fields[0]),
          fields[1],
          fields[2],
          fields[3],
          Long.parseLong(fields[4]),
          source(fields[5], fields[6]),
          fields[7].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fields[7])));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be numbers: " + line, e);
    }
  }

  private static PermitSource source(String outcome, String source) {
    return switch (outcome) {
      case "THROTTLED" -> {
        if (!source.isEmpty()) {
          throw new IllegalArgumentException("must be empty if throttled: source=" + source);
        }
        yield PermitSource.NONE;
      }
      case "ADMITTED" ->
          switch (source) {
            case "granted" -> PermitSource.GRANTED;
            case "opening" -> PermitSource.OPENING;
            case "degraded" -> PermitSource.DEGRADED;
            default ->
                throw new IllegalArgumentException(
                    "must be granted, opening or degraded: source=" + source);
          };
      default ->
          throw new IllegalArgumentException("must be ADMITTED or THROTTLED: outcome=" + outcome);
    };
  }
}
