package io.quotaenforcer.cli;

import io.quotaenforcer.cli.text.Figures;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is left of a purge that was asked for.
 *
 * @param requests that wait still, or came since; empty where that is not known
 * @param trouble why it is not
 */
record LeftOfPurge(OptionalLong requests, Optional<String> trouble) {
  static final LeftOfPurge NOTHING = new LeftOfPurge(OptionalLong.of(0), Optional.empty());

  /** Counts the requests that wait. */
  interface Count {
    /**
     * How many there are.
     *
     * @throws CommandException if no enforcer tells
     */
    long waiting() throws InterruptedException;
  }

  /**
   * Counts until nothing is left, or patience is.
   *
   * @param before how many waited
   */
  static LeftOfPurge await(Count count, long before, Patience patience)
      throws InterruptedException {
    LeftOfPurge left = new LeftOfPurge(OptionalLong.of(before), Optional.empty());
    while (!left.isDone() && patience.pause()) {
      left = look(count);
    }
    return left;
  }

  /** It is asked for by now: a count that fails is none. */
  private static LeftOfPurge look(Count count) throws InterruptedException {
    try {
      return new LeftOfPurge(OptionalLong.of(count.waiting()), Optional.empty());
    } catch (CommandException e) {
      return new LeftOfPurge(OptionalLong.empty(), Optional.of(String.valueOf(e.getMessage())));
    }
  }

  /** Whether it is known that nothing is left. */
  boolean isDone() {
    return requests.isPresent() && requests.getAsLong() == 0;
  }

  /** What to look at later, if it is not done. */
  Optional<String> advice() {
    String shown = "quota deferred stats shows when it is done";
    if (trouble.isPresent()) {
      return Optional.of("it is asked for, and not known to be done; " + shown);
    }
    return isDone()
        ? Optional.empty()
        : Optional.of(
            "%s still wait, or came since: %s"
                .formatted(Figures.number(requests.orElse(0)), shown));
  }
}
