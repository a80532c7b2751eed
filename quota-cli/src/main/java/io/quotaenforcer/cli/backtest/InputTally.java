package io.quotaenforcer.cli.backtest;

import io.quotaenforcer.cli.backtest.BacktestInput.Unreadable;
import io.quotaenforcer.cli.log.SeenAttributes;
import io.quotaenforcer.core.Request;
import java.util.ArrayList;
import java.util.List;

/** Counts a back-test's input. */
final class InputTally {
  private static final int SHOWN = 10;

  private final String from;
  private final String unit;
  private final SeenAttributes attributes = new SeenAttributes();
  private final List<Unreadable> first = new ArrayList<>();
  private long read;
  private long repeated;
  private long unreadable;

  InputTally(String from, String unit) {
    this.from = from;
    this.unit = unit;
  }

  void request(Request request) {
    read++;
    attributes.add(request);
  }

  void repeated() {
    read++;
    repeated++;
  }

  void unreadable(String place, String reason) {
    read++;
    unreadable++;
    if (first.size() < SHOWN) {
      first.add(new Unreadable(place, reason));
    }
  }

  BacktestInput input() {
    return new BacktestInput(
        from, unit, new BacktestInput.Counts(read, repeated, unreadable), first, attributes);
  }
}
