package io.quotaenforcer.cli.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Samples in Prometheus' text format (Prometheus documentation, "Exposition formats"). Lines that
 * are no samples are left out.
 */
public record PrometheusText(List<Sample> samples) {
  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})?\\s+(\\S+)(?:\\s+\\S+)?");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** A metric with its labels, and the value that it has. */
  public record Sample(String name, Map<String, String> labels, double value) {
    public Sample {
      labels = Map.copyOf(labels);
    }
  }

  public PrometheusText {
    samples = List.copyOf(samples);
  }

  public static PrometheusText parse(String text) {
    List<Sample> samples = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher matcher = LINE.matcher(line);
      if (!line.startsWith("#") && matcher.matches()) {
        value(matcher.group(3))
            .ifPresent(
                value ->
                    samples.add(new Sample(matcher.group(1), labels(matcher.group(2)), value)));
      }
    }
    return new PrometheusText(samples);
  }

  /** Sum of a metric's samples that have this label; empty if there is none. */
  public OptionalDouble sum(String name, String label, String value) {
    double[] values =
        samples.stream()
            .filter(sample -> sample.name().equals(name))
            .filter(sample -> value.equals(sample.labels().get(label)))
            .mapToDouble(Sample::value)
            .toArray();
    return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(total(values));
  }

  /** Sum of a metric's samples; empty if there is none. */
  public OptionalDouble sum(String name) {
    double[] values =
        samples.stream()
            .filter(sample -> sample.name().equals(name))
            .mapToDouble(Sample::value)
            .toArray();
    return values.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(total(values));
  }

  /** A label of the first sample of a metric. */
  public Optional<String> label(String name, String label) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name))
        .findFirst()
        .map(sample -> sample.labels().get(label));
  }

  private static double total(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  private static Map<String, String> labels(String text) {
    Map<String, String> labels = new HashMap<>();
    if (text != null) {
      Matcher matcher = LABEL.matcher(text);
      while (matcher.find()) {
        labels.put(matcher.group(1), unescape(matcher.group(2)));
      }
    }
    return labels;
  }

  private static String unescape(String text) {
    return text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
  }

  private static Optional<Double> value(String text) {
    return switch (text) {
      case "+Inf" -> Optional.of(Double.POSITIVE_INFINITY);
      case "-Inf" -> Optional.of(Double.NEGATIVE_INFINITY);
      default -> {
        try {
          yield Optional.of(Double.valueOf(text));
        } catch (NumberFormatException e) {
          yield Optional.empty();
        }
      }
    };
  }
}
