package io.quotaenforcer.simulation.overload;

/** What befalls a service that was healthy for {@link #START_SECOND} seconds. */
public enum Trouble {
  HALF_CAPACITY("capacity drops by half"),
  SLOW_SERVER("one server is five times slower"),
  COLD_CACHE("the cache is cold"),
  TRIPLE_DEMAND("demand steps to three times"),
  DRIFT("all takes twice as long, little by little");

  /** The trouble begins here. */
  public static final int START_SECOND = 60;

  /** The run ends here, with the trouble still there. */
  public static final int END_SECOND = 300;

  /** How long latency drifts until it is twice what it was. */
  private static final int DRIFT_SECONDS = 100;

  /** What a request takes whose answer is not in the cache, in requests whose answer is. */
  private static final double MISS = 3;

  /** Requests after which a cold cache answers 63 % of them: five seconds' worth of a server's. */
  private static final double WARM_UP = 5 * SimulatedServer.CAPACITY;

  private final String text;

  Trouble(String text) {
    this.text = text;
  }

  /** From here on nothing changes but what the service itself does, in seconds. */
  public int changedAtSecond() {
    return this == DRIFT ? START_SECOND + DRIFT_SECONDS : START_SECOND;
  }

  /** Requests that are asked for, in those of before. */
  double demand(double second) {
    return this == TRIPLE_DEMAND && second >= START_SECOND ? 3 : 1;
  }

  /**
   * What a request takes, in what it took before.
   *
   * @param served requests that the server has served since the trouble began
   */
  double serviceTime(int server, double second, long served) {
    if (second < START_SECOND) {
      return 1;
    }
    return switch (this) {
      case HALF_CAPACITY -> 2;
      case SLOW_SERVER -> server == 0 ? 5 : 1;
      case COLD_CACHE -> 1 + (MISS - 1) * Math.exp(-served / WARM_UP);
      case TRIPLE_DEMAND -> 1;
      case DRIFT -> 1 + Math.min(1, (second - START_SECOND) / DRIFT_SECONDS);
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
