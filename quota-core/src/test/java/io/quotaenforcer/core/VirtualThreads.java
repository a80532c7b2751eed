package io.quotaenforcer.core;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.ThreadFactory;

/** Virtual threads, for tests that run on Java 17 as well. */
public final class VirtualThreads {
  private VirtualThreads() {}

  /** Makes virtual threads; before Java 21, the test is skipped and says so. */
  public static ThreadFactory factory() {
    assumeTrue(
        Runtime.version().feature() >= 21,
        "SKIPPED: virtual threads need Java 21, and this is " + Runtime.version().feature());
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return (ThreadFactory)
          Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
