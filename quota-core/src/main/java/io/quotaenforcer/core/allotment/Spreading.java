package io.quotaenforcer.core.allotment;

/**
 * When the permits of a quota key are spread over several places in memory, so that threads that
 * ask for them at once do not wait for each other's cache line.
 *
 * @param places a power of two; 1 to leave them in one place
 * @param races that threads lose for a cell between two looks at its key, at least, to spread it
 * @param least permits of each place, or a cell is not spread
 */
public record Spreading(int places, int races, int least) {
  /** Permits stay in one place. */
  public static final Spreading NONE = new Spreading(1, 0, 1);

  /** A race costs tens of nanoseconds, so this is a microsecond or more in some milliseconds. */
  private static final int RACES = 50;

  private static final int LEAST = 32;

  /** Each takes 128 bytes of every cell that is spread. */
  private static final int MOST_PLACES = 64;

  public Spreading {
    if (places < 1 || Integer.bitCount(places) != 1) {
      throw new IllegalArgumentException("must be a power of two: places=" + places);
    }
    if (races < 0 || least < 1) {
      throw new IllegalArgumentException(
          "must be >= 0, and >= 1: races=%d least=%d".formatted(races, least));
    }
  }

  /** Twice as many places as processors, so that few threads that run at once share one. */
  public static Spreading over(int processors) {
    int wanted = Math.min(2 * processors, MOST_PLACES);
    int places = Integer.highestOneBit(wanted);
    return processors < 2
        ? NONE
        : new Spreading(places < wanted ? 2 * places : places, RACES, LEAST);
  }
}
