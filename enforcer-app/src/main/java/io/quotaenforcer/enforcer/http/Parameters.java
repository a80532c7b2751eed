package io.quotaenforcer.enforcer.http;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The parameters of a query. Reading an invalid one throws an IllegalArgumentException that says
 * so.
 */
public final class Parameters {
  private final Map<String, String> values;

  private Parameters(Map<String, String> values) {
    this.values = values;
  }

  /** Refuses those that are not known, and those given twice. */
  public static Parameters of(ServiceRequestContext context, Set<String> known) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Map.Entry<String, String> parameter : context.queryParams()) {
      if (!known.contains(parameter.getKey())) {
        throw new IllegalArgumentException(
            "must be one of " + known.stream().sorted().toList() + ": " + parameter.getKey());
      }
      if (values.put(parameter.getKey(), parameter.getValue()) != null) {
        throw new IllegalArgumentException("must be given only once: " + parameter.getKey());
      }
    }
    return new Parameters(values);
  }

  /** These, each of which is known. */
  public static Parameters of(Map<String, String> values) {
    return new Parameters(Map.copyOf(values));
  }

  public static Parameters none() {
    return new Parameters(Map.of());
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name));
  }

  public <T> Optional<T> get(String name, Function<String, T> parse) {
    return text(name).map(parse);
  }

  public boolean flag(String name) {
    return text(name).map(Parameters::parseFlag).orElse(false);
  }

  /** From 1 to {@code most}. */
  public int number(String name, int otherwise, int most) {
    int value = text(name).map(text -> parse(name, text)).orElse(otherwise);
    if (value < 1 || value > most) {
      throw new IllegalArgumentException("must be from 1 to " + most + ": " + name + "=" + value);
    }
    return value;
  }

  Set<Integer> numbers(String name) {
    Set<Integer> numbers = new LinkedHashSet<>();
    for (String number : text(name).map(text -> text.split(",", -1)).orElse(new String[0])) {
      numbers.add(parse(name, number));
    }
    return numbers;
  }

  private static boolean parseFlag(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false: " + text);
    };
  }

  private static int parse(String name, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a number: " + name + "=" + text, e);
    }
  }
}
