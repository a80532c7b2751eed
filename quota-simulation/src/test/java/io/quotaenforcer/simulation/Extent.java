package io.quotaenforcer.simulation;

import java.util.List;

/** How much of what can be tried is tried: a part in every build, all of it with {@code -Dlong}. */
public final class Extent {
  private static final boolean IS_WHOLE = System.getProperty("long") != null;

  private Extent() {}

  /** The number of seeds, unless {@code -Dchaos.seeds} says another. */
  public static int seeds(int part, int whole) {
    return Integer.getInteger("chaos.seeds", of(part, whole));
  }

  public static int of(int part, int whole) {
    return IS_WHOLE ? whole : part;
  }

  /** One of some alternatives, whose turn it is, or all of them. */
  public static <T> List<T> of(List<T> all, int turn) {
    return IS_WHOLE || all.isEmpty() ? all : List.of(all.get(turn % all.size()));
  }
}
