package io.quotaenforcer.simulation.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers values from 0 on, equal ones alike. */
final class Numbers<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final List<T> values = new ArrayList<>();

  int of(T value) {
    Integer known = numbers.putIfAbsent(value, values.size());
    if (known == null) {
      values.add(value);
      return values.size() - 1;
    }
    return known;
  }

  T get(int number) {
    return values.get(number);
  }

  int size() {
    return values.size();
  }
}
