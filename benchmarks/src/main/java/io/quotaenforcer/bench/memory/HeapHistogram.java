package io.quotaenforcer.bench.memory;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What lives on this JVM's heap, by class; the largest first.
 *
 * @param bytes of all of them, which may be more than are listed
 */
record HeapHistogram(long bytes, List<Row> rows) {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+)");

  HeapHistogram {
    rows = List.copyOf(rows);
  }

  /** The objects of one class. */
  record Row(String type, long instances, long bytes) {
    private Row minus(Row before) {
      return new Row(type, instances - before.instances, bytes - before.bytes);
    }
  }

  /** As {@code jcmd GC.class_histogram} counts it, after a full collection. */
  static HeapHistogram ofThisJvm() {
    try {
      Object said =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return parse((String) said);
    } catch (JMException e) {
      throw new IllegalStateException("this JVM does not count its heap: use a HotSpot JVM", e);
    }
  }

  /** The text of {@code jcmd GC.class_histogram}. */
  static HeapHistogram parse(String text) {
    List<Row> rows = new ArrayList<>();
    Matcher matcher = ROW.matcher(text);
    while (matcher.find()) {
      rows.add(
          new Row(
              matcher.group(3),
              Long.parseLong(matcher.group(1)),
              Long.parseLong(matcher.group(2))));
    }
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("must be a class histogram: text=" + text);
    }
    return sorted(rows);
  }

  /** What has come since another histogram. */
  HeapHistogram since(HeapHistogram before) {
    Map<String, Row> earlier = new HashMap<>();
    before.rows.forEach(row -> earlier.put(row.type, row));
    return sorted(
        rows.stream()
            .map(row -> row.minus(earlier.getOrDefault(row.type, new Row(row.type, 0, 0))))
            .toList());
  }

  HeapHistogram largest(int count) {
    return new HeapHistogram(bytes, rows.subList(0, Math.min(count, rows.size())));
  }

  void write(DataOutputStream out) throws IOException {
    out.writeLong(bytes);
    out.writeInt(rows.size());
    for (Row row : rows) {
      out.writeUTF(row.type);
      out.writeLong(row.instances);
      out.writeLong(row.bytes);
    }
  }

  static HeapHistogram read(DataInputStream in) throws IOException {
    long bytes = in.readLong();
    List<Row> rows = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      rows.add(new Row(in.readUTF(), in.readLong(), in.readLong()));
    }
    return new HeapHistogram(bytes, rows);
  }

  private static HeapHistogram sorted(List<Row> rows) {
    List<Row> all = new ArrayList<>(rows);
    all.sort((one, other) -> Long.compare(other.bytes, one.bytes));
    return new HeapHistogram(all.stream().mapToLong(Row::bytes).sum(), all);
  }
}
