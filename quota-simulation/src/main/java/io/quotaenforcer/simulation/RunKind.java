package io.quotaenforcer.simulation;

/** The kind of run that a seed draws. */
public enum RunKind {
  /** A strict rule under any trouble: never over, and of use again afterwards. */
  STRICT("strict"),
  /** A balanced rule under any trouble except crashes, whose counts must be exact. */
  COUNTED("counted"),
  /** Requests that hold slots of a concurrency limit, under any trouble. */
  SLOTS("slots"),
  /** Another enforcer takes over a concurrency limit while an instance is cut off. */
  SLOT_TAKEOVERS("slot takeovers"),
  /** A strict rule of two classes, of which the last asks for far more than the limit. */
  CLASSES("classes"),
  /** A strict elastic rule and its pool, in calm and in trouble. */
  ELASTIC("elastic");

  /** Kinds but the first are drawn once or a few times in so many seeds. */
  private static final int EVERY = 16;

  private final String label;

  RunKind(String label) {
    this.label = label;
  }

  /** Its name in reports. */
  public String label() {
    return label;
  }

  static RunKind of(long seed) {
    return switch (Math.floorMod(seed, EVERY)) {
      case 3, 11, 15 -> COUNTED;
      case 5 -> SLOTS;
      case 7 -> SLOT_TAKEOVERS;
      case 8 -> CLASSES;
      case 12 -> ELASTIC;
      default -> STRICT;
    };
  }

  /** Numbers the seeds of a kind that is drawn once in {@value #EVERY}, without a gap. */
  static long number(long seed) {
    return Math.floorDiv(seed, EVERY);
  }
}
