package io.quotaenforcer.core.allotment;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.EpsilonVerifier;

/**
 * Runs the operations of a class in many orders of their single reads and writes, thread by thread
 * (Lincheck's model checking, sequentially consistent). What is to hold is said by the class
 * itself, in its method marked {@code @Validate}; results are not compared with those of one
 * thread, since a decision may find no room although there was some all the time.
 *
 * <p>With {@code -Dinterleavings.long=true} it takes minutes.
 */
final class Interleavings {
  private static final boolean LONG = Boolean.getBoolean("interleavings.long");

  private Interleavings() {}

  /**
   * Checks a class.
   *
   * @param scenarios of calls that are drawn from its operations, the same ones each time
   */
  static void check(Class<?> operations, int scenarios) {
    new ModelCheckingOptions()
        .threads(LONG ? 3 : 2)
        .actorsPerThread(LONG ? 3 : 2)
        .actorsBefore(2)
        .actorsAfter(1)
        .iterations(LONG ? 10 * scenarios : scenarios)
        .invocationsPerIteration(LONG ? 5_000 : 200)
        .verifier(EpsilonVerifier.class)
        .check(operations);
  }
}
