package io.quotaenforcer.simulation;

import io.quotaenforcer.simulation.MutantProbe.Aim;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.function.Function;

/**
 * The seeds at which mutants were found when they were last looked for, by {@code
 * mutant-seeds.properties}. They are tried first; where one tells no more, all are, from 0 on.
 */
final class MutantSeeds {
  private static final String FILE = "/mutant-seeds.properties";

  /** Below it a search from 0 is as quick. */
  private static final long WORTH_KEEPING = 10;

  private static final Properties SEEDS = read();

  private MutantSeeds() {}

  private static Properties read() {
    Properties seeds = new Properties();
    try (InputStream file =
        Objects.requireNonNull(MutantSeeds.class.getResourceAsStream(FILE), FILE)) {
      seeds.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return seeds;
  }

  /** What a probe with a mutant finds by one of so many seeds; empty for nothing. */
  static String search(Enum<?> mutant, Aim aim, int seeds, Function<String, String> probe) {
    OptionalLong last = last(name(mutant));
    if (last.isPresent()) {
      String found = probe.apply("%s %d 1".formatted(aim, last.getAsLong()));
      if (!found.isEmpty()) {
        return found;
      }
    }
    String found = probe.apply("%s 0 %d".formatted(aim, seeds));
    if (!found.isEmpty()) {
      keep(name(mutant), Long.parseLong(found.substring(0, found.indexOf(' '))));
    }
    return found;
  }

  static String name(Enum<?> mutant) {
    return mutant.getDeclaringClass().getSimpleName() + "." + mutant.name();
  }

  static OptionalLong last(String name) {
    String seed = SEEDS.getProperty(name);
    return seed == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(seed));
  }

  /** Prints the line of the file. */
  static void keep(String name, long seed) {
    if (seed >= WORTH_KEEPING) {
      System.out.println("mutant-seeds.properties: " + name + "=" + seed);
    }
  }
}
