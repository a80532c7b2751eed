package io.quotaenforcer.bench.decision.timed;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** 100,000 users, drawn at random by each thread. */
@State(Scope.Thread)
public class Users {
  static final int COUNT = 100_000;

  private static final String[] NAMES = names();

  private int random = (int) (Thread.currentThread().getId() * 0x9E3779B9) | 1;

  static String name(int index) {
    return NAMES[index];
  }

  String next() {
    return NAMES[nextIndex()];
  }

  /** A xorshift generator (Marsaglia 2003), mapped to the users by a multiplication. */
  int nextIndex() {
    int drawn = random;
    drawn ^= drawn << 13;
    drawn ^= drawn >>> 17;
    drawn ^= drawn << 5;
    random = drawn;
    return (int) ((Integer.toUnsignedLong(drawn) * COUNT) >>> Integer.SIZE);
  }

  private static String[] names() {
    String[] names = new String[COUNT];
    for (int i = 0; i < COUNT; i++) {
      names[i] = "user-%07d".formatted(i);
    }
    return names;
  }
}
