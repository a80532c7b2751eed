package io.quotaenforcer.bench.memory;

import io.quotaenforcer.core.Request;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory of quota keys that an admission client holds.
 *
 * @param inUse of them; the others are at rest
 * @param admitted of one request for each of them
 * @param heap what they added to it
 */
record HeldKeys(Liveness liveness, int keys, int inUse, int admitted, HeapHistogram heap) {
  private static final int CLASSES = 10;

  /** Has a new client, which may hold twice as many, hold so many keys, in this JVM, and counts. */
  static HeldKeys measure(Liveness liveness, int keys) {
    HeapHistogram before = HeapHistogram.ofThisJvm();
    SimulatedClient client = new SimulatedClient(2 * keys);
    int steps = SimulatedClient.steps(liveness.asking());
    int asked = 0;
    int admitted = 0;
    for (int step = 1; step <= steps; step++) {
      for (; asked < (long) keys * step / steps; asked++) {
        admitted +=
            client.decide(Request.of("user", "user-%07d".formatted(asked))).admitted() ? 1 : 0;
      }
      client.step();
    }
    for (int step = SimulatedClient.steps(liveness.after()); step > 0; step--) {
      client.step();
    }
    client.dropEnforcer();
    HeapHistogram heap = HeapHistogram.ofThisJvm().since(before).largest(CLASSES);
    int inUse = client.keysInUse();
    return new HeldKeys(liveness, inUse + client.keysRemembered(), inUse, admitted, heap);
  }

  double bytesPerKey() {
    return (double) heap.bytes() / keys;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(liveness.name());
    out.writeInt(keys);
    out.writeInt(inUse);
    out.writeInt(admitted);
    heap.write(out);
  }

  static HeldKeys read(DataInputStream in) throws IOException {
    return new HeldKeys(
        Liveness.valueOf(in.readUTF()),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        HeapHistogram.read(in));
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("live", liveness.title());
    json.put("meaning", liveness.meaning());
    json.put("keys", keys);
    json.put("inUse", inUse);
    json.put("admitted", admitted);
    json.put("bytes", heap.bytes());
    json.put("bytesPerKey", bytesPerKey());
    json.put("largestClasses", heap.rows().stream().map(this::toJson).toList());
    return json;
  }

  private Map<String, Object> toJson(HeapHistogram.Row row) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("class", row.type());
    json.put("instances", row.instances());
    json.put("bytes", row.bytes());
    json.put("bytesPerKey", (double) row.bytes() / keys);
    return json;
  }

  /** A line for each of the largest classes: bytes and objects per key. */
  List<String> describeClasses() {
    return heap.rows().stream()
        .map(
            row ->
                "%8.1f B  %5.2f  %s"
                    .formatted(
                        (double) row.bytes() / keys, (double) row.instances() / keys, row.type()))
        .toList();
  }
}
