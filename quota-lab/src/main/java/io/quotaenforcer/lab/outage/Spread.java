package io.quotaenforcer.lab.outage;

import com.fasterxml.jackson.annotation.JsonValue;

/** How the requests for a quota key are spread over three services. */
public enum Spread {
  EVEN("even", "even", 1 / 3.0, 1 / 3.0, 1 / 3.0),
  MOSTLY_ONE("80/20", "mostly-one", 0.8, 0.1, 0.1);

  static final int SERVICES = 3;

  private final String label;
  private final String word;
  private final double[] parts;

  Spread(String label, String word, double... parts) {
    this.label = label;
    this.word = word;
    this.parts = parts;
  }

  @JsonValue
  public String label() {
    return label;
  }

  /** For the name of a rule. */
  String word() {
    return word;
  }

  /** The part of all requests that come to one service. */
  double part(int service) {
    return parts[service];
  }
}
