package io.quotaenforcer.enforcer.trace;

import java.util.OptionalLong;

/**
 * One decision as a trace holds it.
 *
 * @param rule domain/id
 * @param key text of the quota key
 * @param windowStartMicros window that the permits were taken from; empty for kinds without windows
 */
public record TraceRow(
    long epochMicros,
    String instance,
    String rule,
    String key,
    long cost,
    boolean admitted,
    OptionalLong windowStartMicros) {
  static final String HEADER = "epochMicros,instance,rule,key,cost,outcome,windowStartMicros";
  private static final int FIELDS = 7;

  void appendTo(StringBuilder line) {
    line.append(epochMicros).append(',').append(instance).append(',').append(rule).append(',');
    line.append(key).append(',').append(cost).append(admitted ? ",ADMITTED," : ",THROTTLED,");
    windowStartMicros.ifPresent(line::append);
    line.append('\n');
  }

  /** Reads a line; throws IllegalArgumentException that says what is wrong with it. */
  static TraceRow parse(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("must have 7 fields: " + line);
    }
    boolean admitted = fields[5].equals("ADMITTED");
    if (!admitted && !fields[5].equals("THROTTLED")) {
      throw new IllegalArgumentException("must be ADMITTED or THROTTLED: outcome=" + fields[5]);
    }
    try {
      return new TraceRow(
          Long.parseLong(fields[0]),
          fields[1],
          fields[2],
          fields[3],
          Long.parseLong(fields[4]),
          admitted,
          fields[6].isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(fields[6])));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be numbers: " + line, e);
    }
  }
}
