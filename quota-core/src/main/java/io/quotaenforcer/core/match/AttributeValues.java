package io.quotaenforcer.core.match;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The attributes that conditions are tried on. */
public interface AttributeValues {

  /** The value of an attribute; null when it is not there. */
  @Nullable String get(String attribute);

  /** Number of {@link #names}. */
  int count();

  /** Attributes that may be there; all others are not. */
  Collection<String> names();
}
