package io.quotaenforcer.server.access;

import java.util.Locale;

/** What a caller may do; each may do what those before it may. */
public enum Role {
  /** Looks. */
  VIEWER,
  /** Changes, too. */
  OPERATOR;

  /** Whether it may do what is for another one. */
  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }

  /** Its name in files and answers. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
