package io.quotaenforcer.bench.moving.real;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

/**
 * A row that was measured in real time.
 *
 * @param row as of a simulation
 */
public record RealRow<T>(@JsonUnwrapped T row, @JsonUnwrapped Pace pace) {
  /** The head of a table of such rows. */
  public static String head(String head) {
    return head + "  " + Pace.head();
  }

  @Override
  public String toString() {
    return row + "  " + pace;
  }
}
