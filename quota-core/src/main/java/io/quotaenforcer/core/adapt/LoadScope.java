package io.quotaenforcer.core.adapt;

/** Whose load a limit follows. */
public enum LoadScope {
  /** That of all instances together: the limit that they have together falls. */
  SERVICE,

  /** Each instance's own: a slow one has less of a limit that each has for itself. */
  INSTANCE
}
