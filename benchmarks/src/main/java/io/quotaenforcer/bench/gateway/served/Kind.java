package io.quotaenforcer.bench.gateway.served;

/** The kind of server behind a port. */
public enum Kind {
  GATEWAY("gateway"),
  ALONE("gateway with rules.file"),
  UNDECIDED("OK undecided"),
  REDIS("INCR in Redis");

  private final String text;

  Kind(String text) {
    this.text = text;
  }

  /** Its name in tables. */
  public String text() {
    return text;
  }
}
