package io.quotaenforcer.core.rule;

import io.quotaenforcer.core.QuotaKey;
import io.quotaenforcer.core.hash.HashedText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that a rule counts by, whose values make its quota keys. Immutable.
 *
 * @param attributes different ones, in the order of the values in a quota key; none makes one quota
 *     key for all requests
 */
public record RuleKey(List<KeyAttribute> attributes) {
  private static final RuleKey NONE = new RuleKey(List.of());

  public RuleKey {
    attributes = List.copyOf(attributes);
    List<String> names = attributes.stream().map(KeyAttribute::name).toList();
    if (Set.copyOf(names).size() < names.size()) {
      throw new IllegalArgumentException("must be different attributes: key=" + names);
    }
    if (names.size() > QuotaKey.MAX_VALUES) {
      throw new IllegalArgumentException(
          "must be at most %d attributes: key has %d".formatted(QuotaKey.MAX_VALUES, names.size()));
    }
  }

  /** Attributes whose values are taken as they are. */
  public static RuleKey of(List<String> names) {
    return names.isEmpty() ? NONE : new RuleKey(names.stream().map(KeyAttribute::of).toList());
  }

  /** Like {@link #of(List)}. */
  public static RuleKey of(String... names) {
    return of(Arrays.asList(names));
  }

  public List<String> names() {
    return attributes.stream().map(KeyAttribute::name).toList();
  }

  public int size() {
    return attributes.size();
  }

  public boolean isEmpty() {
    return attributes.isEmpty();
  }

  /** Whether values of an attribute are hashed. */
  public boolean hashes() {
    for (int i = 0; i < attributes.size(); i++) {
      if (attributes.get(i).isHashed()) {
        return true;
      }
    }
    return false;
  }

  /** The attributes whose values are hashed. */
  public Set<String> hashed() {
    return attributes.stream()
        .filter(KeyAttribute::isHashed)
        .map(KeyAttribute::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Where the value of an attribute stands in a quota key; -1 when it is not there. */
  int indexOf(String name) {
    for (int i = 0; i < attributes.size(); i++) {
      if (attributes.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * The values of a quota key, from the values of the attributes in their order: hashes, where the
   * rule hashes.
   *
   * @throws IllegalArgumentException when there are more or fewer than attributes, or one that is
   *     to be hashed is no hash
   */
  public List<String> parts(List<String> values) {
    checkCount(values);
    List<String> parts = new ArrayList<>(values.size());
    for (int i = 0; i < values.size(); i++) {
      KeyAttribute attribute = attributes.get(i);
      if (attribute.isHashed() && !HashedText.isOne(values.get(i))) {
        throw new IllegalArgumentException(
            "must be a hash, as `quota hash` prints it: the value of " + attribute.name());
      }
      parts.add(attribute.part(values.get(i)));
    }
    return parts;
  }

  void checkCount(List<String> values) {
    if (values.size() != attributes.size()) {
      throw new IllegalArgumentException(
          "must be the values of "
              + names()
              + ": keyValues"
              + (hashes() ? " has " + values.size() : "=" + values));
    }
  }

  /** The values of a request's quota key; null when it lacks an attribute. */
  @Nullable List<String> parts(Map<String, String> request) {
    List<String> parts = new ArrayList<>(attributes.size());
    for (int i = 0; i < attributes.size(); i++) {
      KeyAttribute attribute = attributes.get(i);
      String value = request.get(attribute.name());
      if (value == null) {
        return null;
      }
      parts.add(attribute.part(value));
    }
    return parts;
  }
}
