package io.quotaenforcer.bench.topology;

/** The program that counts requests. */
enum Counter {
  /** {@link PlainCountMain}. */
  PLAIN("(a) plain DSL count", "events"),
  /** The enforcer, told of each request. */
  EVENTS("(b) request events", "events"),
  /** The enforcer, told by instances of what they admitted. */
  REPORTS("(c) usage reports", "cell updates");

  private final String words;
  private final String unit;

  Counter(String words, String unit) {
    this.words = words;
    this.unit = unit;
  }

  /** The unit that its rate per second is given in. */
  String unit() {
    return unit;
  }

  /** The same with the letter that it goes by. */
  String unitOf() {
    return words.substring(0, words.indexOf(' ') + 1) + unit;
  }

  @Override
  public String toString() {
    return words;
  }
}
