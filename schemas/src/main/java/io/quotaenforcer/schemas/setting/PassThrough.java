package io.quotaenforcer.schemas.setting;

import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keys that belong to a library and are passed on to it unread.
 *
 * @param prefix with which these keys begin
 * @param strip whether the library knows them without the prefix
 * @param known keys of the library, as it knows them
 * @param extensible whether extensions of the library have keys of their own: an unknown key is
 *     then taken for a mistake only if it is close to a known one
 */
public record PassThrough(String prefix, boolean strip, Set<String> known, boolean extensible) {
  public PassThrough {
    known = Set.copyOf(known);
  }

  public PassThrough(String prefix, boolean strip, Set<String> known) {
    this(prefix, strip, known, true);
  }

  /** Only the given keys with this prefix, passed on unchanged. */
  public static PassThrough only(String prefix, Set<String> keys) {
    return new PassThrough(
        prefix,
        false,
        keys.stream().filter(key -> key.startsWith(prefix)).collect(Collectors.toSet()),
        false);
  }

  /** The library's name of a key. */
  String nameOf(String key) {
    return strip ? key.substring(prefix.length()) : key;
  }
}
