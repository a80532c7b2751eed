package io.quotaenforcer.bench.accuracy.innocents;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The requests of all users, in order of time.
 *
 * <p>A user comes in visits of 1 to 20 requests, 5 to 120 s apart; each user has a pace of visits
 * and of the requests in one, which come at once or half a second after each other.
 */
public final class Visits {
  /** Requests begin this long after {@link #START}, when every instance has its rules. */
  static final long LEAD_NANOS = 500_000_000L;

  /** Noon and 50 s, so that windows of a minute end in the midst of even a short run. */
  static final long START = (1_700_006_400L + 43_200 + 50) * 1_000_000_000L;

  private static final int MOST_OF_A_VISIT = 20;
  private static final int OF_AN_EAGER_VISIT = 90;
  private static final double SHORTEST_GAP_SECONDS = 5;
  private static final double LONGEST_GAP_SECONDS = 120;
  private static final double SHORTEST_STEP_SECONDS = 0.001;
  private static final double LONGEST_STEP_SECONDS = 0.5;

  private static final int INSTANCE_BITS = 7;
  private static final int USER_BITS = 14;

  private final Visitors visitors;
  private final int instances;
  private final double seconds;
  private final SplittableRandom random;
  private long[] packed = new long[1 << 16];
  private int size;

  /**
   * Draws them.
   *
   * @param seconds in which they come
   */
  public Visits(Visitors visitors, int instances, double seconds, long seed) {
    this.visitors = visitors;
    this.instances = instances;
    this.seconds = seconds;
    this.random = new SplittableRandom(seed);
    for (int user = 0; user < visitors.count(); user++) {
      if (visitors.isAbuser(user)) {
        abuse(user);
      } else {
        visit(user);
      }
    }
    packed = Arrays.copyOf(packed, size);
    Arrays.sort(packed);
  }

  public Visitors visitors() {
    return visitors;
  }

  public int instances() {
    return instances;
  }

  public int size() {
    return size;
  }

  long at(int index) {
    return START + LEAD_NANOS + (packed[index] >> USER_BITS + INSTANCE_BITS);
  }

  int user(int index) {
    return (int) (packed[index] >> INSTANCE_BITS) & (1 << USER_BITS) - 1;
  }

  int instance(int index) {
    return (int) packed[index] & (1 << INSTANCE_BITS) - 1;
  }

  /** When nothing is asked for any more. */
  long endNanos() {
    return START + LEAD_NANOS + (long) (seconds * 1e9);
  }

  private void visit(int user) {
    int most = 1 + random.nextInt(MOST_OF_A_VISIT);
    double gap = between(SHORTEST_GAP_SECONDS, LONGEST_GAP_SECONDS);
    double step = between(SHORTEST_STEP_SECONDS, LONGEST_STEP_SECONDS);
    double at = random.nextDouble(Math.min(gap, seconds));
    while (at < seconds) {
      boolean eager = visitors.isEager(user) && random.nextInt(3) == 0;
      int requests = eager ? OF_AN_EAGER_VISIT : 1 + random.nextInt(most);
      double apart = eager ? SHORTEST_STEP_SECONDS : step;
      int instance = random.nextInt(instances);
      for (int i = 0; i < requests; i++) {
        add(at, user, visitors.isSpread(user) ? random.nextInt(instances) : instance);
        at += apart * 2 * random.nextDouble();
      }
      at += gap * (0.5 + random.nextDouble());
    }
  }

  private void abuse(int user) {
    UserLimit limit = visitors.limitOf(user);
    double every = limit.abuseEverySeconds();
    double begin = random.nextDouble(Math.min(every, seconds) / 3);
    for (; begin < seconds; begin += every) {
      double end = Math.min(seconds, begin + limit.abuseSeconds());
      for (double at = begin; at < end; at += poissonGap(limit.abusePerSecond())) {
        add(at, user, random.nextInt(instances));
      }
    }
  }

  private void add(double at, int user, int instance) {
    if (at >= seconds) {
      return;
    }
    packed = size == packed.length ? Arrays.copyOf(packed, 2 * size) : packed;
    packed[size++] =
        (long) (at * 1e9) << USER_BITS + INSTANCE_BITS | (long) user << INSTANCE_BITS | instance;
  }

  /** Evenly spread on a logarithmic scale: as many between 1 and 10 as between 10 and 100. */
  private double between(double least, double most) {
    return least * Math.pow(most / least, random.nextDouble());
  }

  private double poissonGap(double perSecond) {
    return -Math.log(1 - random.nextDouble()) / perSecond;
  }
}
