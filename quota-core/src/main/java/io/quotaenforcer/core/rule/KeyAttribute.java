package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.AddressCut;
import java.util.Optional;

/**
 * An attribute whose value is part of the quota key.
 *
 * @param cut how addresses are taken by their network; empty takes every value as it is
 */
public record KeyAttribute(String name, Optional<AddressCut> cut) {

  /** One whose values are taken as they are. */
  public static KeyAttribute of(String name) {
    return new KeyAttribute(name, Optional.empty());
  }

  /** The part of the quota key that a request with this value has. */
  public String part(String value) {
    return cut.isPresent() ? cut.get().of(value) : value;
  }
}
