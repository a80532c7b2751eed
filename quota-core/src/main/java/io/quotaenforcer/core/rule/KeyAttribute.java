package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.match.AddressCut;
import java.util.Optional;

/**
 * An attribute whose value is part of the quota key.
 *
 * @param cut how addresses are taken by their network; empty takes every value as it is
 * @param isHashed whether values are hashed before anybody else sees them
 */
public record KeyAttribute(String name, Optional<AddressCut> cut, boolean isHashed) {
  public KeyAttribute {
    if (isHashed && cut.isPresent()) {
      // Who sends a value to be counted later knows no rules, and could not cut it first.
      throw new IllegalArgumentException(
          "must be hashed or taken by its network, not both: keyAttribute=" + name);
    }
  }

  /** One whose values are in the clear. */
  public KeyAttribute(String name, Optional<AddressCut> cut) {
    this(name, cut, false);
  }

  /** One whose values are hashed. */
  public static KeyAttribute hashed(String name) {
    return new KeyAttribute(name, Optional.empty(), true);
  }

  /** One whose values are taken as they are. */
  public static KeyAttribute of(String name) {
    return new KeyAttribute(name, Optional.empty());
  }

  /** The part of the quota key that a request with this value has, before it is hashed. */
  public String part(String value) {
    return cut.isPresent() ? cut.get().of(value) : value;
  }
}
