package io.quotaenforcer.enforcer.backtest;

import io.quotaenforcer.core.Request;
import io.quotaenforcer.core.backtest.SeenAttributes;
import io.quotaenforcer.enforcer.backtest.BacktestInput.Unreadable;
import java.util.ArrayList;
import java.util.List;

/** Counts a back-test's input. */
public final class InputTally {
  private static final int SHOWN = 10;

  private final String from;
  private final String unit;
  private final SeenAttributes attributes = new SeenAttributes();
  private final List<Unreadable> first = new ArrayList<>();
  private long read;
  private long repeated;
  private long unreadable;

  public InputTally(String from, String unit) {
    this.from = from;
    this.unit = unit;
  }

  public void request(Request request) {
    read++;
    attributes.add(request);
  }

  public void repeated() {
    read++;
    repeated++;
  }

  public void unreadable(String place, String reason) {
    read++;
    unreadable++;
    if (first.size() < SHOWN) {
      first.add(new Unreadable(place, reason));
    }
  }

  public BacktestInput input() {
    return new BacktestInput(
        from, unit, new BacktestInput.Counts(read, repeated, unreadable), first, attributes);
  }
}
