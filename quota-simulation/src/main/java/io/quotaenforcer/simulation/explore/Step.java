package io.quotaenforcer.simulation.explore;

/** The next step: its kind and the instance or message that it concerns. */
record Step(Kind kind, int of) {

  /** Kinds of steps, those that are not faults first. */
  enum Kind {
    ASK,
    /** A request that holds a slot ends. */
    END,
    REPORT,
    DELIVER,
    READ_BY_ZOMBIE,
    COMMIT,
    TICK,
    CRASH,
    LOSE,
    DUPLICATE,
    REORDER,
    FAIL_OVER,
    FAIL_OVER_LEAVING_ZOMBIE
  }

  private static final Kind[] KINDS = Kind.values();

  static Step of(int code) {
    return new Step(KINDS[code >>> 8], code & 255);
  }

  int code() {
    return kind.ordinal() << 8 | of;
  }
}
