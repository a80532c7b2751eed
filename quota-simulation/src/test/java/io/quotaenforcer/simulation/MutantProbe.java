package io.quotaenforcer.simulation;

import io.quotaenforcer.core.algorithm.Limit;
import io.quotaenforcer.core.rule.Enforcement;
import io.quotaenforcer.simulation.explore.Exploration;
import io.quotaenforcer.simulation.explore.Explored;
import io.quotaenforcer.simulation.explore.FaultKind;
import io.quotaenforcer.simulation.explore.Scope;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Looks for a broken promise among the classes that it was loaded with: {@code explore ALGORITHM
 * FAULT TIMES}, {@code simulate LIMIT FIRST_SEED}, or an {@link Aim} with the first seed and the
 * number of seeds. Answers what it found, a seed first; nothing when all was kept.
 */
public final class MutantProbe implements Function<String, String> {
  private static final int SEEDS = 4_000;
  private static final int MOST_STATES = 400_000;

  @Override
  public String apply(String order) {
    String[] words = order.split(" ");
    return switch (words[0]) {
      case "explore" ->
          explore(
              Scope.Algorithm.valueOf(words[1]),
              FaultKind.valueOf(words[2]),
              Integer.parseInt(words[3]));
      case "simulate" -> simulate(words[1], Long.parseLong(words[2]));
      default -> run(Aim.valueOf(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]));
    };
  }

  /** Focus of the seeds drawn. */
  enum Aim {
    CHAOS {
      @Override
      String violation(long seed) {
        return SeedRun.strict(seed).violation();
      }
    },
    TAKEOVERS {
      @Override
      String violation(long seed) {
        return new TakeoverChaos(seed).violation();
      }
    },
    BORDERS {
      @Override
      String violation(long seed) {
        return new TakeoverChaos(seed, TakeoverChaos.Focus.BORDERS).violation();
      }
    },
    GENERATIONS {
      @Override
      String violation(long seed) {
        return new TakeoverChaos(seed, TakeoverChaos.Focus.GENERATIONS).violation();
      }
    },
    SHARES {
      @Override
      String violation(long seed) {
        return new ShareChaos(seed).violation();
      }
    },
    RESTS {
      @Override
      String violation(long seed) {
        return new RestingChaos(seed).violation();
      }
    },
    CLASSES {
      @Override
      String violation(long seed) {
        return new ClassRun(seed).judge().text();
      }
    },
    SLOTS {
      @Override
      String violation(long seed) {
        return new SlotRun(seed).judge().text();
      }
    },
    ELASTIC {
      @Override
      String violation(long seed) {
        return new ElasticRun(seed).judge().text();
      }
    },
    PENALTIES {
      @Override
      String violation(long seed) {
        return new PenaltyRun(seed).judge().text();
      }
    },
    SLOT_TAKEOVERS {
      @Override
      String violation(long seed) {
        return new SlotTakeoverRun(seed).judge().text();
      }
    },
    WINDOWS {
      @Override
      String violation(long seed) {
        return WindowLabels.violation(seed);
      }
    };

    abstract String violation(long seed);
  }

  private static String run(Aim aim, long first, int seeds) {
    for (long seed = first; seed < first + seeds; seed++) {
      long run = seed;
      String violation = found(() -> aim.violation(run));
      if (!violation.isEmpty()) {
        return seed + " " + violation;
      }
    }
    return "";
  }

  private static String explore(Scope.Algorithm algorithm, FaultKind fault, int times) {
    int requests = algorithm == Scope.Algorithm.SLOTS ? 2 : 3;
    Scope scope =
        Scope.of(algorithm).withRequests(requests).withFaults(Set.of(fault), times, times);
    Explored explored = new Exploration(scope, soFar -> soFar.states() < MOST_STATES).run();
    return explored.isKept()
        ? ""
        : "%d states: %s%n%s"
            .formatted(
                explored.states(), explored.violation(), String.join("\n", explored.trace()));
  }

  private static String simulate(String limit, long first) {
    for (long seed = first; seed < SEEDS; seed++) {
      Limit drawn = new Chaos(seed, Enforcement.STRICT, true).limit;
      if (drawn.getClass().getSimpleName().equals(limit)) {
        long run = seed;
        String violation = found(() -> SeedRun.strict(run).violation());
        violation = violation.isEmpty() ? found(() -> SeedRun.counted(run).violation()) : violation;
        if (!violation.isEmpty()) {
          return seed + " " + violation;
        }
      }
    }
    return "";
  }

  /** The violation that was found; one that a check within the run throws counts too. */
  private static String found(Supplier<String> violation) {
    try {
      return violation.get();
    } catch (IllegalStateException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
