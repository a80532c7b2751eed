package io.quotaenforcer.core.setting;

import java.util.Set;

/**
 * Keys that belong to a library and are handed to it unread.
 *
 * @param prefix with which these keys begin
 * @param strip whether the library knows them without the prefix
 * @param known keys of the library, as it knows them: an unknown one close to one of these is taken
 *     for a mistake, any other for an extension's own
 */
public record PassThrough(String prefix, boolean strip, Set<String> known) {
  public PassThrough {
    known = Set.copyOf(known);
  }

  /** What the library calls a key. */
  String nameOf(String key) {
    return strip ? key.substring(prefix.length()) : key;
  }
}
