package io.quotaenforcer.bench.memory;

import io.quotaenforcer.core.Request;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Requests that name a key never seen before, each, beside one user who goes on as before.
 *
 * @param maxKeys that may be in use at once, and that may be remembered besides
 * @param mostInUse at any time
 * @param mostRemembered at any time
 * @param nanosPerRequest processor time of the thread that asks; collections of garbage are not in
 *     it
 * @param bytes on the heap at the end
 * @param userRequests of the user who was there before
 * @param userThrottled of these
 */
record Flood(
    int requests,
    int maxKeys,
    int mostInUse,
    int mostRemembered,
    int admitted,
    double nanosPerRequest,
    long bytes,
    int userRequests,
    int userThrottled) {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Longer than a key is held without being used. */
  private static final Duration TIME = Duration.ofSeconds(100);

  /** The user's pause: its limit allows what it asks for. */
  private static final int STEPS_PER_USER_REQUEST = SimulatedClient.steps(Duration.ofSeconds(1));

  /** Has a new client, in this JVM, suffer it. */
  static Flood measure(int requests, int maxKeys) {
    HeapHistogram before = HeapHistogram.ofThisJvm();
    SimulatedClient client = new SimulatedClient(maxKeys);
    int steps = SimulatedClient.steps(TIME);
    int asked = 0;
    int admitted = 0;
    int mostInUse = 0;
    int mostRemembered = 0;
    int userRequests = 0;
    int userThrottled = 0;
    long nanos = 0;
    Request user = Request.of("user", "user-0000042");
    for (int step = 1; step <= steps; step++) {
      if (step % STEPS_PER_USER_REQUEST == 1) {
        userRequests++;
        userThrottled += client.decide(user).admitted() ? 0 : 1;
      }
      int until = (int) ((long) requests * step / steps);
      Request[] invented = new Request[until - asked];
      for (int i = 0; i < invented.length; i++) {
        invented[i] = Request.of("user", "invented-%08d".formatted(asked + i));
      }
      asked = until;
      long started = THREADS.getCurrentThreadCpuTime();
      for (Request request : invented) {
        admitted += client.decide(request).admitted() ? 1 : 0;
      }
      nanos += THREADS.getCurrentThreadCpuTime() - started;
      mostInUse = Math.max(mostInUse, client.keysInUse());
      mostRemembered = Math.max(mostRemembered, client.keysRemembered());
      client.step();
    }
    client.dropEnforcer();
    long bytes = HeapHistogram.ofThisJvm().since(before).bytes();
    // The book is to live until here.
    mostInUse = Math.max(mostInUse, client.keysInUse());
    return new Flood(
        requests,
        maxKeys,
        mostInUse,
        mostRemembered,
        admitted,
        (double) nanos / requests,
        bytes,
        userRequests,
        userThrottled);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(requests);
    out.writeInt(maxKeys);
    out.writeInt(mostInUse);
    out.writeInt(mostRemembered);
    out.writeInt(admitted);
    out.writeDouble(nanosPerRequest);
    out.writeLong(bytes);
    out.writeInt(userRequests);
    out.writeInt(userThrottled);
  }

  static Flood read(DataInputStream in) throws IOException {
    return new Flood(
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readDouble(),
        in.readLong(),
        in.readInt(),
        in.readInt());
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("requests", requests);
    json.put("maxKeys", maxKeys);
    json.put("mostInUse", mostInUse);
    json.put("mostRemembered", mostRemembered);
    json.put("admitted", admitted);
    json.put("nanosPerRequest", nanosPerRequest);
    json.put("bytes", bytes);
    json.put("userRequests", userRequests);
    json.put("userThrottled", userThrottled);
    return json;
  }
}
